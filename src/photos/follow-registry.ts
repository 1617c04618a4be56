/** What photos do when the registry says that a photographer changed or an event is gone. */

import type { Handler } from "../platform/ports.ts";
import { eachMessage } from "../platform/queue-work.ts";
import { RegistryMessage } from "../registry/events.ts";
import type { Photos } from "./photos.ts";
import { beginRemoval } from "./remove-event.ts";
import { beginSync } from "./sync-photographer.ts";

/** It takes longer than a message is anybody's, so that it becomes a job. */
export function followRegistry(photos: Photos): Handler {
  return eachMessage(RegistryMessage, async (message) => {
    if (message.type === "photographer.changed") await beginSync(photos, message);
    if (message.type === "event.removed") await beginRemoval(photos, message);
  });
}
