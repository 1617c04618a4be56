/** The message that says an object is there, in the shape EventBridge gives S3's: both engines send the same. */

import { z } from "zod";

export const ObjectCreated = z.object({
  source: z.literal("aws.s3"),
  "detail-type": z.literal("Object Created"),
  time: z.iso.datetime(),
  detail: z.object({
    bucket: z.object({ name: z.string() }),
    object: z.object({ key: z.string(), size: z.number(), etag: z.string() }),
  }),
});
export type ObjectCreated = z.infer<typeof ObjectCreated>;
