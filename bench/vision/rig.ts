/** What every part of the benchmark works with. */

import type { Seen } from "../../src/platform/embedded/vision/eye.ts";
import type { ModelFiles } from "../../src/platform/embedded/vision/models.ts";
import type { Settings } from "./settings.ts";
import type { TimedEye } from "./timed-eye.ts";

export type Rig = {
  settings: Settings;
  eye: TimedEye;
  files: ModelFiles;
  /** What was seen in the race photos, by file: bibs and faces are judged by one look. */
  looks: Map<string, Seen>;
};
