/** What the pictures use of opentype.js, which brings no types. */

declare module "opentype.js" {
  namespace opentype {
    type Command = { type: string; x1?: number; y1?: number; x2?: number; y2?: number; x?: number; y?: number };
    type Path = { commands: Command[]; getBoundingBox(): { x1: number; y1: number; x2: number; y2: number } };
    type Glyph = { advanceWidth: number; getPath(x: number, y: number, size: number): Path };
    type Font = { unitsPerEm: number; charToGlyph(character: string): Glyph };
    function parse(bytes: ArrayBuffer): Font;
  }
  export = opentype;
}
