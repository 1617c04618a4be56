/** Takes the port, and gives it back without cutting off requests that are still being answered. */

import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Hono } from "hono";
import { Problem } from "../../platform/problem.ts";
import { preferring, type ShortWay } from "./short-way.ts";

export function listen(app: Hono, at: { host: string; port: number }, shortWay?: ShortWay): Promise<Server> {
  const answer = getRequestListener(app.fetch);
  // Both ways see a header that is given twice as fetch does.
  const server = createServer({ joinDuplicateHeaders: true }, shortWay ? preferring(shortWay, answer) : answer);
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => reject(explainListenError(error, at)));
    server.listen(at.port, at.host, () => resolve(server));
  });
}

function explainListenError(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): unknown {
  const refuse = (code: string, sentence: string) => new Problem("misconfigured", code, sentence, { cause: error });
  switch (error.code) {
    case "EADDRINUSE":
      return refuse(
        "server.port-in-use",
        `Port ${port} of ${host} is in use: stop what uses it or set PORT to another.`,
      );
    case "EACCES":
      return refuse("server.port-forbidden", `Port ${port} needs more rights: set PORT to one of 1024 or above.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return refuse("server.no-such-host", `HOST is "${host}", which is no address of this machine: try 127.0.0.1.`);
    default:
      return error;
  }
}

/** Resolves when every connection is gone, by force once the grace is over. */
export async function drain(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that was busy when closing began is kept alive after its answer; nobody else would close it.
  const sweep = setInterval(() => server.closeIdleConnections(), 50);
  const force = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(force);
}
