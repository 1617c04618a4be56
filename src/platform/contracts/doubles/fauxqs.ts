/** Starts fauxqs, an SQS and S3 within this process, on this machine's own address only. */

import { setTimeout as delay } from "node:timers/promises";
import { buildApp } from "fauxqs";
import type { QueueSettings } from "../../ports.ts";
import { AUTHORIZATION, callJson } from "./aws-json.ts";
import { keepUploads } from "./fauxqs-uploads.ts";

/** SQS would wait up to 20 s; waiting less is allowed to it, and keeps tests short. */
const MAX_WAIT_MS = 200;
const LOOK_EVERY_MS = 10;

export type Fauxqs = {
  endpoint: string;
  /** With its dead-letter queue, as it would be deployed. */
  createQueue(name: string, settings: QueueSettings): Promise<void>;
  createBucket(name: string): Promise<void>;
  stop(): Promise<void>;
};

type App = ReturnType<typeof buildApp>;
type Receive = { QueueUrl?: string; WaitTimeSeconds?: number };

export async function startFauxqs(): Promise<Fauxqs> {
  const app = buildApp({ logger: false });
  forgetReceiversThatHungUp(app);
  keepUploads(app);
  const endpoint = await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    endpoint,
    createQueue: async (name, { visibilityMs, maxReceives }) => {
      const deadArn = await createQueue(endpoint, `${name}-dlq`, {});
      await createQueue(endpoint, name, {
        VisibilityTimeout: String(Math.ceil(visibilityMs / 1000)),
        RedrivePolicy: JSON.stringify({ deadLetterTargetArn: deadArn, maxReceiveCount: maxReceives }),
      });
    },
    createBucket: async (name) => {
      const response = await fetch(`${endpoint}/${name}`, { method: "PUT" });
      if (!response.ok) throw new Error(`creating bucket ${name} answered ${response.status}`);
    },
    stop: async () => {
      await app.close();
    },
  };
}

async function createQueue(endpoint: string, name: string, attributes: object): Promise<string> {
  const { QueueUrl } = await callJson(endpoint, "AmazonSQS.CreateQueue", { QueueName: name, Attributes: attributes });
  const ask = { QueueUrl, AttributeNames: ["QueueArn"] };
  const { Attributes } = await callJson(endpoint, "AmazonSQS.GetQueueAttributes", ask);
  return (Attributes as { QueueArn: string }).QueueArn;
}

/**
 * Left alone, fauxqs would give messages to a receiver that hung up long ago. So the waiting is done here, by looking
 * again and again for as long as the receiver is there.
 */
function forgetReceiversThatHungUp(app: App): void {
  app.addHook("preHandler", async (request, reply) => {
    if (request.headers["x-amz-target"] !== "AmazonSQS.ReceiveMessage") return;
    const receive = request.body as Receive;
    const waitMs = Math.min((receive.WaitTimeSeconds ?? 0) * 1000, MAX_WAIT_MS);
    if (waitMs === 0) return;
    const deadline = Date.now() + waitMs;
    while (!request.raw.socket.destroyed) {
      const answer = await receiveNow(app, receive);
      const isEmpty = answer.statusCode === 200 && !answer.body.includes('"Messages"');
      if (isEmpty && Date.now() < deadline) {
        await delay(LOOK_EVERY_MS);
        continue;
      }
      const { "content-length": _, ...headers } = answer.headers;
      return reply.code(answer.statusCode).headers(headers).send(answer.body);
    }
    return reply.send("");
  });
}

function receiveNow(app: App, receive: Receive) {
  return app.inject({
    method: "POST",
    url: "/",
    headers: {
      "content-type": "application/x-amz-json-1.0",
      "x-amz-target": "AmazonSQS.ReceiveMessage",
      authorization: AUTHORIZATION,
    },
    payload: JSON.stringify({ ...receive, WaitTimeSeconds: 0 }),
  });
}
