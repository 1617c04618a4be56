/** The Lambda on local doubles of AWS and a real PostgreSQL: events of API Gateway in, answers out. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import type { LambdaContext, LambdaEvent } from "hono/aws-lambda";
import { type Postgres, startPostgres } from "../../../tests/harness/postgres.ts";
import { entryQueue } from "../../entry/events.ts";
import { createAccessTokens } from "../../platform/access-tokens.ts";
import { type Fauxqs, startFauxqs } from "../../platform/contracts/doubles/fauxqs.ts";
import { MACHINE_ARN_PREFIX } from "../../platform/contracts/doubles/step-functions.ts";
import { registryQueues } from "../../registry/events.ts";

const secret = randomBytes(32);
let postgres: Postgres;
let fauxqs: Fauxqs;
let handler: (event: LambdaEvent, context?: LambdaContext) => Promise<unknown>;

before(async () => {
  [postgres, fauxqs] = await Promise.all([startPostgres(), startFauxqs()]);
  for (const { name, settings } of [...Object.values(registryQueues), entryQueue]) {
    await fauxqs.createQueue(name, settings);
  }
  Object.assign(process.env, {
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_ENDPOINT_URL_SQS: fauxqs.endpoint,
    SNAPRACE_STATE_MACHINES: MACHINE_ARN_PREFIX,
    DATABASE_URL: await postgres.createDatabase(),
    SNAPRACE_SECRET: secret.toString("hex"),
    SNAPRACE_PUBLIC_URL: "https://race.example",
    LOG_LEVEL: "silent",
  });
  ({ handler } = (await import("./api.ts")) as unknown as { handler: typeof handler });
});

after(async () => {
  await fauxqs.stop();
  await postgres.stop();
  // A Lambda is frozen and thrown away, never closed: its connections and loops would keep this process.
  setImmediate(() => process.exit());
});

type Answer = { statusCode: number; body: string; headers: { [name: string]: string } };

async function call(method: string, path: string, send?: { token?: string; body?: unknown }): Promise<Answer> {
  const event = {
    version: "2.0",
    routeKey: "$default",
    rawPath: path,
    rawQueryString: "",
    headers: {
      host: "race.example",
      ...(send?.token && { authorization: `Bearer ${send.token}` }),
      ...(send?.body !== undefined && { "content-type": "application/json" }),
    },
    requestContext: { domainName: "race.example", http: { method, path, sourceIp: "203.0.113.7" } },
    ...(send?.body !== undefined && { body: JSON.stringify(send.body) }),
    isBase64Encoded: false,
  };
  return (await handler(event as unknown as LambdaEvent)) as Answer;
}

test("a token made elsewhere with the same secret is known, and writing reaches the database", async () => {
  const tokens = createAccessTokens(secret, { now: Date.now, revokedBefore: () => 0 });
  const holder = { userId: "op", operator: true, organizations: [], photographers: [], session: false, tokenId: "t" };
  const token = tokens.issue(holder, 60_000);
  const made = await call("POST", "/api/admin/organizations", { token, body: { orgId: "hrr", name: "한강" } });
  assert.equal(made.statusCode, 201, made.body);
  const shown = await call("GET", "/api/admin/organizations/hrr", { token });
  assert.equal(JSON.parse(shown.body).name, "한강");
});

test("errors are problems here too, and the browser is told to stay with https", async () => {
  const answer = await call("GET", "/api/admin/organizations/hrr");
  assert.equal(answer.statusCode, 401);
  assert.equal(JSON.parse(answer.body).code, "access.sign-in");
  assert.match(answer.headers["strict-transport-security"] ?? "", /max-age/);
});

test("there is no inbox page, whatever the request says of itself", async () => {
  assert.equal((await call("GET", "/inbox")).statusCode, 404);
});
