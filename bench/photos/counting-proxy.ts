/** Stands before a double of AWS, passes everything on, and counts what a bill would count. */

import { type IncomingMessage, request as send } from "node:http";
import { serveOnLoopback } from "../../src/platform/contracts/doubles/loopback.ts";

export type Counted = { [what: string]: number };
export type CountingProxy = { endpoint: string; counts: Counted; stop(): Promise<void> };

type Name = (request: IncomingMessage) => string;
/** DynamoDB is paid by capacity, which it tells who asks for it. */
type ConsumedCapacity = { CapacityUnits?: number; ReadCapacityUnits?: number; WriteCapacityUnits?: number };

export async function startCountingProxy(target: string, nameOf: Name): Promise<CountingProxy> {
  const counts: Counted = {};
  const count = (what: string, by: number) => {
    counts[what] = (counts[what] ?? 0) + by;
  };
  const server = await serveOnLoopback(async (request, response) => {
    const name = nameOf(request);
    count(name, 1);
    const isDynamo = /^DynamoDB_/.test(String(request.headers["x-amz-target"]));
    const body = await bytesOf(request);
    const asked = isDynamo ? askingForCapacity(body) : body;
    const headers = { ...request.headers, "content-length": String(asked.length) };
    const onward = send(`${target}${request.url}`, { method: request.method, headers }, async (answer) => {
      const bytes = await bytesOf(answer);
      if (isDynamo) countCapacity(bytes, name, count);
      response.writeHead(answer.statusCode ?? 500, answer.headers).end(bytes);
    });
    onward.on("error", () => response.destroy());
    onward.end(asked);
  });
  return { ...server, counts };
}

export const byTarget: Name = (request) => String(request.headers["x-amz-target"]).split(".").at(-1) ?? "";
export const byMethod: Name = (request) => String(request.method);

async function bytesOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function askingForCapacity(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: "TOTAL" }));
}

function countCapacity(answer: Buffer, name: string, count: (what: string, by: number) => void): void {
  const { ConsumedCapacity: told } = JSON.parse(answer.toString()) as { ConsumedCapacity?: unknown };
  const each = (Array.isArray(told) ? told : [told]) as (ConsumedCapacity | undefined)[];
  const isWrite = /Write|Put|Update|Delete/.test(name);
  for (const consumed of each) count(isWrite ? "write units" : "read units", consumed?.CapacityUnits ?? 0);
}
