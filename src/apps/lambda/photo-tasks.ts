/** The tasks of the photo workflow on Lambda: one function for each Task state, called with the state's input. */

import type { Value } from "../../platform/ports.ts";
import { parseConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { openProgram } from "../program.ts";

const config = parseConfig({ SNAPRACE_ENGINES: "aws", ...process.env });
const { photos } = await openProgram(config, createLog({ level: config.logLevel }));

const task = (state: string) => async (input: Value) => {
  const run = photos.tasks[state];
  if (!run) throw new Error(`The workflow has no task ${state}.`);
  return run(input);
};

export const PreprocessImage = task("PreprocessImage");
export const DetectText = task("DetectText");
export const IndexFaces = task("IndexFaces");
export const FanoutToDynamoDB = task("FanoutToDynamoDB");
