/** The message that says an execution failed, in the shape EventBridge gives Step Functions': both engines send the same. */

import { z } from "zod";

export const ExecutionFailed = z.object({
  source: z.literal("aws.states"),
  "detail-type": z.literal("Step Functions Execution Status Change"),
  time: z.iso.datetime(),
  detail: z.object({
    name: z.string(),
    status: z.enum(["FAILED", "TIMED_OUT", "ABORTED"]),
    error: z.string().nullish(),
    cause: z.string().nullish(),
    /** What the execution was started with, as JSON; AWS leaves it out when it is large. */
    input: z.string().nullish(),
  }),
});
export type ExecutionFailed = z.infer<typeof ExecutionFailed>;
