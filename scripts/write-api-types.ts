/** `npm run api-types`: writes web/src/api/types.ts from the routes of this program. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseConfig } from "../src/apps/config.ts";
import { createLog } from "../src/apps/log.ts";
import { openProgram } from "../src/apps/program.ts";
import { type ApiDocument, apiTypes } from "./api-types.ts";

const file = fileURLToPath(new URL("../web/src/api/types.ts", import.meta.url));
const dataFolder = mkdtempSync(join(tmpdir(), "snaprace-api-types-"));
const program = await openProgram(parseConfig({ SNAPRACE_DATA: dataFolder }), createLog({ level: "silent" }));
const answer = await program.app.request("/api/openapi.json");
writeFileSync(file, apiTypes((await answer.json()) as ApiDocument));
await program.close();
rmSync(dataFolder, { recursive: true, force: true });
process.exitCode = spawnSync("biome", ["format", "--write", file], { stdio: "inherit" }).status ?? 1;
