/** Makes the WebAssembly of the face search from its text: `node scripts/build-wasm.ts`, or into another file if named. */

import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import wabt from "wabt";

const source = fileURLToPath(new URL("../src/platform/embedded/vision/face-search.wat", import.meta.url));
const target = process.argv[2] ?? source.replace(/\.wat$/, ".wasm");

const { parseWat } = await wabt();
const module = parseWat(source, readFileSync(source, "utf8"), { simd: true });
module.validate();
writeFileSync(target, module.toBinary({}).buffer);
