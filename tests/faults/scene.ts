/** What the killed process and the one that looks afterwards agree on. */

import { createHash } from "node:crypto";

export const TABLE = "fault-items";
export const PLAIN_QUEUE = "plain";
export const CREATED_QUEUE = "created";
export const BUCKET = "photos";
export const SETTINGS = { visibilityMs: 1_500, maxReceives: 50 };

const Resource = "arn:aws:lambda:us-east-1:000000000000:function:step";
const branch = (name: string) => ({ StartAt: name, States: { [name]: { Type: "Task", Resource, End: true } } });

export const WORKFLOW_ASL = {
  StartAt: "First",
  States: {
    First: { Type: "Task", Resource, Next: "Both" },
    Both: {
      Type: "Parallel",
      Branches: [branch("Left"), branch("Right")],
      ResultSelector: { "id.$": "$[0].id" },
      Next: "Last",
    },
    Last: { Type: "Task", Resource, End: true },
  },
};

/** Up to 300 KB that follow from the name. */
export function contentOf(id: string): Uint8Array {
  const seed = createHash("sha256").update(id).digest();
  return Buffer.alloc(1 + (seed.readUInt32BE(0) % 300_000), seed);
}
