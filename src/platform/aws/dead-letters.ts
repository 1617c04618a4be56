/** How a message is written to its dead-letter queue, and read from there as it was. */

import type { DeadLetter, Message, QueueSettings } from "../ports.ts";
import type { Outgoing, Received } from "./mailbox.ts";

const MAX_REASON_CHARACTERS = 1000;

export function messageOf({ id, body, receives, sentAt, attributes: { requestId } }: Received): Message {
  return { id, body, receives, sentAt, ...(requestId !== undefined && { requestId }) };
}

/** The copy gets an id and a time of its own from SQS, so that it carries those of the message along. */
export function deadLetter({ id, body, receives, sentAt, attributes }: Received, reason: string): Outgoing {
  const { requestId } = attributes;
  return {
    body,
    attributes: {
      reason: readable(reason),
      receives: String(receives),
      messageId: id,
      sentAt: String(sentAt),
      ...(requestId !== undefined && { requestId }),
    },
  };
}

export function deadLetterOf(received: Received, { maxReceives }: QueueSettings): DeadLetter {
  const { reason, receives, messageId, sentAt } = received.attributes;
  return {
    ...messageOf(received),
    id: messageId ?? received.id,
    // SQS itself moves what a consumer took and never answered for, and gives no reason.
    receives: Number(receives ?? maxReceives),
    reason: reason ?? `received ${maxReceives} times without being finished`,
    ...(sentAt !== undefined && { sentAt: Number(sentAt) }),
  };
}

/** As it was first sent: whoever handles it again sees nothing of its former life. */
export function afresh({ body, attributes: { requestId } }: Received): Outgoing {
  return { body, attributes: requestId === undefined ? {} : { requestId } };
}

/** SQS takes neither empty attributes nor characters that XML has not. */
function readable(reason: string): string {
  const kept = reason.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd]/g, "�").slice(0, MAX_REASON_CHARACTERS);
  return kept === "" ? "no reason given" : kept;
}
