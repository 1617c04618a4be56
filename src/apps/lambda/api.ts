/** The same program behind API Gateway or a function URL: one Lambda answers all of HTTP. */

import { handle } from "hono/aws-lambda";
import { parseConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { openProgram } from "../program.ts";

const config = parseConfig({ SNAPRACE_ENGINES: "aws", ...process.env });

// Opened once, while Lambda still gives the start-up its full processor, and kept for all calls of this instance.
const program = await openProgram(config, createLog({ level: config.logLevel }));

export const handler = handle(program.app);
