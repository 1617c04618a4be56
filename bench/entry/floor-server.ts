/** The floor: a bare HTTP server that appends each request to a file, shares an fsync among those that wait, and answers 202. */

import { closeSync, fdatasync, openSync, write } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { promisify } from "node:util";

const [file = ""] = process.argv.slice(2);
const descriptor = openSync(file, "a");
const append = promisify(write) as (descriptor: number, text: string) => Promise<unknown>;
const sync = promisify(fdatasync);

let lines = "";
let waiting: { response: ServerResponse; ticket: number }[] = [];
let isFlushing = false;
let tickets = 0;

const server = createServer((request, response) => {
  tickets += 1;
  lines += `${tickets} ${Date.now()} ${request.url} ${request.headers.authorization}\n`;
  waiting.push({ response, ticket: tickets });
  if (!isFlushing) void flush();
});

async function flush(): Promise<void> {
  isFlushing = true;
  while (waiting.length > 0) {
    const [text, answered] = [lines, waiting];
    lines = "";
    waiting = [];
    await append(descriptor, text);
    await sync(descriptor);
    for (const { response, ticket } of answered) answer(response, ticket);
  }
  isFlushing = false;
}

function answer(response: ServerResponse, ticket: number): void {
  const body = `{"requestId":"r${ticket}","status":"QUEUED","ticket":${ticket}}`;
  response.writeHead(202, { "content-type": "application/json", "content-length": body.length });
  response.end(body);
}

server.listen(0, "127.0.0.1", () => process.send?.({ port: (server.address() as { port: number }).port }));
process.on("disconnect", () => {
  closeSync(descriptor);
  process.exit();
});
