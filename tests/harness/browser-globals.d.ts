/**
 * What functions that tests send into the browser may name there. The DOM's own types would change those of the
 * program, which these tests also use: streams and bodies have other types in browsers.
 */

// biome-ignore-all lint/suspicious/noExplicitAny: the browser knows what they are.

declare const document: any;
declare const window: any;
declare const location: any;
declare const navigator: any;
declare const localStorage: any;
declare const indexedDB: any;
declare const innerWidth: number;
declare const innerHeight: number;
declare const scrollY: number;
declare const requestAnimationFrame: (callback: (time: number) => void) => number;
declare const getComputedStyle: (element: any) => any;
declare const scrollTo: (x: number, y: number) => void;
declare const scrollBy: (x: number, y: number) => void;
type HTMLElement = any;
type HTMLInputElement = any;
type HTMLImageElement = any;
type Element = any;
type Animation = any;
