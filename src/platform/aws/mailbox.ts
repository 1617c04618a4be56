/** One SQS queue by its name: messages in and out in batches, with what a batch left undone tried again. */

import {
  type BatchResultErrorEntry,
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
  type Message as SqsMessage,
} from "@aws-sdk/client-sqs";
import { MAX_MESSAGE_BYTES } from "../messages.ts";
import type { Clock } from "../ports.ts";
import { Problem } from "../problem.ts";
import { isNamed, orUnavailable } from "./failures.ts";
import { type Backoff, eachInParallel, inGroupsOf, untilNoneLeft } from "./retry.ts";

export type Attributes = { [name: string]: string };
export type Outgoing = { body: string; attributes: Attributes };
export type Received = {
  id: string;
  handle: string;
  body: string;
  receives: number;
  sentAt: number;
  attributes: Attributes;
};
export type Receive = { max: number; waitSeconds: number; visibilitySeconds: number; signal?: AbortSignal };

export const MAX_BATCH = 10;
const MAX_VISIBILITY_SECONDS = 12 * 60 * 60;
const BATCHES_AT_ONCE = 8;
const BACKOFF: Backoff = { attempts: 6, firstMs: 50, maxMs: 2000 };

type BatchAnswer = { Failed?: BatchResultErrorEntry[] | undefined };

export class Mailbox {
  readonly #client: SQSClient;
  readonly #clock: Clock;
  readonly #name: string;
  #url: Promise<string> | undefined;

  constructor(client: SQSClient, clock: Clock, name: string) {
    this.#client = client;
    this.#clock = clock;
    this.#name = name;
  }

  async send(outgoing: Outgoing[]): Promise<void> {
    await eachInParallel(groupsToSend(outgoing), BATCHES_AT_ONCE, (group) =>
      this.#inFull(group, (QueueUrl, entries) =>
        this.#client.send(
          new SendMessageBatchCommand({
            QueueUrl,
            Entries: entries.map(({ Id, item }) => ({
              Id,
              MessageBody: item.body,
              MessageAttributes: attributeValues(item.attributes),
            })),
          }),
        ),
      ),
    );
  }

  async receive({ max, waitSeconds, visibilitySeconds, signal }: Receive): Promise<Received[]> {
    return this.#asking(async (QueueUrl) => {
      const command = new ReceiveMessageCommand({
        QueueUrl,
        MaxNumberOfMessages: Math.min(max, MAX_BATCH),
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: visibilitySeconds,
        MessageSystemAttributeNames: ["ApproximateReceiveCount", "SentTimestamp"],
        MessageAttributeNames: ["All"],
      });
      const { Messages = [] } = await this.#client.send(command, signal ? { abortSignal: signal } : {});
      return Messages.map(receivedOf);
    });
  }

  async delete(received: Received[]): Promise<void> {
    await eachInParallel(inGroupsOf(MAX_BATCH, received), BATCHES_AT_ONCE, (group) =>
      this.#inFull(group, (QueueUrl, entries) => {
        const Entries = entries.map(({ Id, item }) => ({ Id, ReceiptHandle: item.handle }));
        return this.#client.send(new DeleteMessageBatchCommand({ QueueUrl, Entries }));
      }),
    );
  }

  /** Lets each message be received again after its own time, 0 being now. */
  async release(releases: { message: Received; inMs: number }[]): Promise<void> {
    await eachInParallel(inGroupsOf(MAX_BATCH, releases), BATCHES_AT_ONCE, (group) =>
      this.#inFull(group, (QueueUrl, entries) => {
        const Entries = entries.map(({ Id, item: { message, inMs } }) => ({
          Id,
          ReceiptHandle: message.handle,
          VisibilityTimeout: wholeSeconds(inMs),
        }));
        return this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
      }),
    );
  }

  async count(): Promise<{ waiting: number; inFlight: number }> {
    return this.#asking(async (QueueUrl) => {
      const AttributeNames = [
        "ApproximateNumberOfMessages" as const,
        "ApproximateNumberOfMessagesDelayed" as const,
        "ApproximateNumberOfMessagesNotVisible" as const,
      ];
      const { Attributes = {} } = await this.#client.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
      const [waiting = 0, delayed = 0, inFlight = 0] = AttributeNames.map((name) => Number(Attributes[name] ?? 0));
      return { waiting: waiting + delayed, inFlight };
    });
  }

  /** @throws a Problem when the queue is not there or can't be asked. */
  async checkReady(): Promise<void> {
    this.#url = undefined;
    await this.#asking(async () => {});
  }

  /** Sends one batch until all its entries went through. */
  async #inFull<T>(
    items: T[],
    call: (url: string, entries: { Id: string; item: T }[]) => Promise<BatchAnswer>,
  ): Promise<void> {
    const entries = items.map((item, index) => ({ Id: String(index), item }));
    const left = await untilNoneLeft(entries, this.#clock, BACKOFF, async (batch) => {
      const { Failed = [] } = await this.#asking((url) => call(url, batch));
      const refused = Failed.find(({ SenderFault }) => SenderFault);
      if (refused) throw refusal(this.#name, refused);
      const failedIds = new Set(Failed.map(({ Id }) => Id));
      return batch.filter(({ Id }) => failedIds.has(Id));
    });
    if (left.length > 0) {
      throw new Problem("unavailable", "queue.busy", `Queue ${this.#name} has too much to do. Try again in a moment.`);
    }
  }

  async #asking<T>(ask: (url: string) => Promise<T>): Promise<T> {
    try {
      return await ask(await this.#findUrl());
    } catch (error) {
      if (isNamed(error, "QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue")) {
        const message = `There is no queue ${this.#name}. Deploy it or correct its name.`;
        throw new Problem("misconfigured", "queue.unknown", message, { cause: error });
      }
      throw orUnavailable(error, "queue.busy", `Queue ${this.#name}`);
    }
  }

  #findUrl(): Promise<string> {
    this.#url ??= this.#client.send(new GetQueueUrlCommand({ QueueName: this.#name })).then(
      ({ QueueUrl = "" }) => QueueUrl,
      (error) => {
        this.#url = undefined;
        throw error;
      },
    );
    return this.#url;
  }
}

/** SQS counts whole seconds; a message comes rather late than early. */
export function wholeSeconds(ms: number): number {
  return Math.min(Math.ceil(ms / 1000), MAX_VISIBILITY_SECONDS);
}

/** A batch has at most ten messages, and together they are no larger than one may be. */
export function groupsToSend(outgoing: Outgoing[]): Outgoing[][] {
  const groups: Outgoing[][] = [];
  let room = 0;
  for (const message of outgoing) {
    const sizeBytes = sizeBytesOf(message);
    const last = groups.at(-1);
    if (last && last.length < MAX_BATCH && sizeBytes <= room) {
      last.push(message);
      room -= sizeBytes;
    } else {
      groups.push([message]);
      room = MAX_MESSAGE_BYTES - sizeBytes;
    }
  }
  return groups;
}

function sizeBytesOf({ body, attributes }: Outgoing): number {
  const parts = Object.entries(attributes).flatMap(([name, value]) => [name, "String", value]);
  return [body, ...parts].reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

function attributeValues(attributes: Attributes) {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
  );
}

function receivedOf({ MessageId, ReceiptHandle, Body, Attributes, MessageAttributes }: SqsMessage): Received {
  const attributes = Object.entries(MessageAttributes ?? {}).map(([name, { StringValue }]) => [
    name,
    StringValue ?? "",
  ]);
  return {
    id: MessageId ?? "",
    handle: ReceiptHandle ?? "",
    body: Body ?? "",
    receives: Number(Attributes?.ApproximateReceiveCount ?? 1),
    sentAt: Number(Attributes?.SentTimestamp ?? 0),
    attributes: Object.fromEntries(attributes),
  };
}

function refusal(queue: string, { Code, Message }: BatchResultErrorEntry): Problem {
  return new Problem("invalid", "queue.refused", `Queue ${queue} refused a message: ${Code ?? ""} ${Message ?? ""}`);
}
