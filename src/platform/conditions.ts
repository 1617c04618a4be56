/** Words for writing conditions as data. */

import type { Condition, Value } from "./ports.ts";

export const exists = (attribute: string): Condition => ({ op: "exists", attribute });
export const absent = (attribute: string): Condition => ({ op: "absent", attribute });
export const is = (attribute: string, value: Value): Condition => ({ op: "=", attribute, value });
export const isNot = (attribute: string, value: Value): Condition => ({ op: "<>", attribute, value });
export const below = (attribute: string, value: string | number): Condition => ({ op: "<", attribute, value });
export const atMost = (attribute: string, value: string | number): Condition => ({ op: "<=", attribute, value });
export const above = (attribute: string, value: string | number): Condition => ({ op: ">", attribute, value });
export const atLeast = (attribute: string, value: string | number): Condition => ({ op: ">=", attribute, value });
export const all = (...of: Condition[]): Condition => ({ op: "all", of });
export const any = (...of: Condition[]): Condition => ({ op: "any", of });
