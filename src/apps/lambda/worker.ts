/** The background work on Lambda: called with messages of the queues, and by a schedule for what is due by time. */

import type { Message } from "../../platform/ports.ts";
import { withRequestId } from "../../platform/request-context.ts";
import { parseConfig } from "../config.ts";
import { createLog } from "../log.ts";
import { openProgram } from "../program.ts";

/** As SQS hands it over. */
type Record = {
  messageId: string;
  body: string;
  eventSourceARN: string;
  attributes: { ApproximateReceiveCount: string; SentTimestamp: string };
  messageAttributes?: { requestId?: { stringValue?: string } };
};
type Failures = { batchItemFailures: { itemIdentifier: string }[] };

const config = parseConfig({ SNAPRACE_ENGINES: "aws", ...process.env });
const log = createLog({ level: config.logLevel });
const program = await openProgram(config, log);

/** Whatever is named in the answer comes again; the queue's own rule leads it to the dead letters. */
export async function handler(event: { Records?: Record[] }): Promise<Failures> {
  if (!event.Records) {
    await program.tick();
    return { batchItemFailures: [] };
  }
  const failed: string[] = [];
  for (const [queue, records] of Map.groupBy(event.Records, queueOf)) failed.push(...(await work(queue, records)));
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

async function work(queue: string, records: Record[]): Promise<string[]> {
  const found = program.work.find((each) => each.queue.name === queue);
  if (!found) throw new Error(`Nobody here works on the queue ${queue}.`);
  const messages = records.map(messageOf);
  const failures = await withRequestId(messages[0]?.requestId, () => found.handler(messages));
  for (const failure of failures) log.warn({ queue, ...failure }, "a message was not finished");
  return failures.map(({ id }) => id);
}

function queueOf({ eventSourceARN }: Record): string {
  return eventSourceARN.split(":").at(-1) ?? "";
}

function messageOf({ messageId, body, attributes, messageAttributes }: Record): Message {
  const requestId = messageAttributes?.requestId?.stringValue;
  return {
    id: messageId,
    body,
    receives: Number(attributes.ApproximateReceiveCount),
    sentAt: Number(attributes.SentTimestamp),
    ...(requestId !== undefined && { requestId }),
  };
}
