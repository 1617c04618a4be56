/** The background work on Lambda, beside the API on another: messages of SQS and a schedule in, results in DynamoDB and PostgreSQL out. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { LambdaEvent } from "hono/aws-lambda";
import { type Deployment, startDeployment } from "../../../tests/harness/deployment.ts";
import { until } from "../../../tests/harness/entry-event.ts";
import { type Postgres, startPostgres } from "../../../tests/harness/postgres.ts";
import { requestQueue } from "../../entry/entry.ts";
import { entryQueue } from "../../entry/events.ts";
import { createAccessTokens } from "../../platform/access-tokens.ts";
import { callJson } from "../../platform/contracts/doubles/aws-json.ts";
import { dynoxideMissing } from "../../platform/contracts/doubles/dynoxide.ts";
import { registryQueues } from "../../registry/events.ts";

const ARN = "arn:aws:sqs:us-east-1:000000000000:";
const secret = randomBytes(32);

type Message = {
  MessageId: string;
  ReceiptHandle: string;
  Body: string;
  Attributes: object;
  MessageAttributes?: object;
};
type SqsRecord = { messageId: string; body: string; eventSourceARN: string; attributes: object };
type Failures = { batchItemFailures: { itemIdentifier: string }[] };

describe("the Lambda for background work", { skip: dynoxideMissing() ?? false }, () => {
  let postgres: Postgres;
  let deployment: Deployment;
  let api: (event: LambdaEvent) => Promise<unknown>;
  let work: (event: object) => Promise<Failures>;

  before(async () => {
    [postgres, deployment] = await Promise.all([startPostgres(), startDeployment()]);
    Object.assign(process.env, {
      ...deployment.environment,
      DATABASE_URL: await postgres.createDatabase(),
      SNAPRACE_SECRET: secret.toString("hex"),
      SNAPRACE_PUBLIC_URL: "https://race.example",
      LOG_LEVEL: "silent",
    });
    ({ handler: api } = (await import("./api.ts")) as unknown as { handler: typeof api });
    ({ handler: work } = (await import("./worker.ts")) as unknown as { handler: typeof work });
    await call("POST", "/admin/organizations", { operator: true }, { orgId: "hrr", name: "한강" });
  });

  after(async () => {
    await Promise.all([deployment?.stop(), postgres?.stop()]);
    // A Lambda is frozen and thrown away, never closed: its connections and loops would keep this process.
    setImmediate(() => process.exit());
  });

  async function call(method: string, path: string, holder: object, body?: unknown) {
    const tokens = createAccessTokens(secret, { now: Date.now, revokedBefore: () => 0 });
    const nobody = {
      userId: "op",
      operator: false,
      organizations: [],
      photographers: [],
      session: false,
      tokenId: "t",
    };
    const event = {
      version: "2.0",
      routeKey: "$default",
      rawPath: `/api${path}`,
      rawQueryString: "",
      headers: {
        host: "race.example",
        authorization: `Bearer ${tokens.issue({ ...nobody, ...holder }, 60_000)}`,
        "content-type": "application/json",
      },
      requestContext: { domainName: "race.example", http: { method, path: `/api${path}`, sourceIp: "203.0.113.7" } },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      isBase64Encoded: false,
    };
    const answer = (await api(event as unknown as LambdaEvent)) as { statusCode: number; body: string };
    assert.ok(answer.statusCode < 300, answer.body);
    return JSON.parse(answer.body);
  }

  const organizer = { organizations: ["hrr"] };

  async function makeEvent(capacityTotal: number): Promise<string> {
    const eventId = `race-${randomBytes(4).toString("hex")}`;
    const entry = { eventType: "FIRST_COME", capacityTotal, opensAt: "2026-01-01T00:00:00Z" };
    const event = { eventId, name: eventId, date: "2090-04-18", timeZone: "Asia/Seoul", published: true, entry };
    await call("POST", "/admin/organizations/hrr/events", organizer, event);
    return eventId;
  }

  async function enter(eventId: string, ...userIds: string[]): Promise<string[]> {
    const requestIds: string[] = [];
    for (const userId of userIds) {
      requestIds.push((await call("POST", `/events/${eventId}/participations`, { userId })).requestId);
    }
    return requestIds;
  }

  const resultsOf = async (eventId: string): Promise<string[]> => {
    const { items } = await call("GET", `/admin/events/${eventId}/requests`, organizer);
    return items.map(({ userId, status }: { userId: string; status: string }) => `${userId} ${status}`);
  };

  /** Takes what is in a queue, as Lambda's own poller does. */
  async function receive(queue: string): Promise<SqsRecord[]> {
    const { QueueUrl } = await callJson(deployment.fauxqs.endpoint, "AmazonSQS.GetQueueUrl", { QueueName: queue });
    const ask = { QueueUrl, MaxNumberOfMessages: 10, AttributeNames: ["All"], MessageAttributeNames: ["All"] };
    const { Messages = [] } = await callJson(deployment.fauxqs.endpoint, "AmazonSQS.ReceiveMessage", ask);
    return (Messages as Message[]).map(({ MessageId, Body, Attributes }) => ({
      messageId: MessageId,
      body: Body,
      eventSourceARN: ARN + queue,
      attributes: Attributes,
    }));
  }

  test("settles what SQS hands over, and the same again changes nothing", async () => {
    const eventId = await makeEvent(1);
    await enter(eventId, "ann", "bob");
    const Records = await receive(requestQueue.name);
    assert.equal(Records.length, 2);
    assert.deepEqual(await work({ Records }), { batchItemFailures: [] });
    assert.deepEqual(await resultsOf(eventId), ["ann SUCCEEDED", "bob REJECTED"]);
    assert.deepEqual(await work({ Records: Records.toReversed() }), { batchItemFailures: [] });
    assert.deepEqual(await resultsOf(eventId), ["ann SUCCEEDED", "bob REJECTED"]);
  });

  test("names only the messages that it could not do", async () => {
    const eventId = await makeEvent(1);
    await enter(eventId, "ann");
    const [good] = await receive(requestQueue.name);
    assert.ok(good);
    const bad = { ...good, messageId: "bad", body: "no message at all" };
    const other = { ...good, messageId: "other", eventSourceARN: ARN + registryQueues.entry.name, body: "{}" };
    const { batchItemFailures } = await work({ Records: [bad, good, other] });
    assert.deepEqual(
      batchItemFailures.map(({ itemIdentifier }) => itemIdentifier),
      ["bad", "other"],
    );
    assert.deepEqual(await resultsOf(eventId), ["ann SUCCEEDED"]);
  });

  test("does by its schedule what no message asks for", async () => {
    const eventId = await makeEvent(1);
    await enter(eventId, "ann", "bob");
    assert.deepEqual(await work({}), { batchItemFailures: [] });
    assert.deepEqual(await resultsOf(eventId), ["ann SUCCEEDED", "bob REJECTED"]);
    await receive(requestQueue.name);
  });

  test("hears of the registry's changes: more places go to the next in line", async () => {
    const eventId = await makeEvent(1);
    await enter(eventId, "ann", "bob", "cho");
    await work({ Records: await receive(requestQueue.name) });
    const { entry } = await call("GET", `/admin/events/${eventId}`, organizer);
    await call("PATCH", `/admin/events/${eventId}`, organizer, { entry: { ...entry, capacityTotal: 2 } });
    await until(async () => {
      assert.deepEqual(await work({ Records: await receive(registryQueues.entry.name) }), { batchItemFailures: [] });
      return (await resultsOf(eventId)).includes("bob SUCCEEDED");
    });
    assert.deepEqual(await resultsOf(eventId), ["ann SUCCEEDED", "bob SUCCEEDED", "cho REJECTED"]);
  });

  test("leads to runners with bibs, in the order of the line", async () => {
    const eventId = await makeEvent(2);
    await enter(eventId, "ann", "bob", "cho");
    await work({ Records: await receive(requestQueue.name) });
    for (let Records = await receive(entryQueue.name); Records.length > 0; Records = await receive(entryQueue.name)) {
      assert.deepEqual(await work({ Records }), { batchItemFailures: [] });
    }
    const { items } = await call("GET", `/admin/events/${eventId}/runners`, organizer);
    const bibs = items.map(({ bib, userId }: { bib: string; userId: string }) => `${bib} ${userId}`);
    assert.deepEqual(bibs, ["0001 ann", "0002 bob"]);
  });

  test("refuses a queue that is none of its own, so that the mistake is seen", async () => {
    const record = { messageId: "1", body: "{}", eventSourceARN: `${ARN}Another`, attributes: {} };
    await assert.rejects(work({ Records: [record] }), /Nobody here works on the queue Another/);
  });
});
