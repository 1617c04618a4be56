/** A line between a sender of photos and the server, on which a test can hold, break and count what passes. */

import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** `pass`: on to the server; `cut`: the connection breaks halfway; or an answer that is not the server's. */
export type Fate = "pass" | "cut" | { status: number; headers?: { [name: string]: string } };

/** Without its query, and with the part if it is one. */
export type Passing = { method: string; path: string; isBytes: boolean };

export type UploadProxy = {
  url: string;
  /** Where the server is; it may come back elsewhere. */
  leadTo(serverUrl: string): void;
  /** Decides on each request; the default passes everything on. */
  onRequest(decide: (passing: Passing) => Fate | Promise<Fate>): void;
  /** Bytes that the server has taken: the path of each, as often as it was. */
  taken: string[];
  close(): void;
};

export async function openUploadProxy(): Promise<UploadProxy> {
  let decide: (passing: Passing) => Fate | Promise<Fate> = () => "pass";
  let target = "";
  const taken: string[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const passing = passingOf(incoming);
    const fate = await decide(passing);
    if (fate === "cut") return void incoming.once("data", () => incoming.socket.destroy()).resume();
    if (fate !== "pass") return void outgoing.writeHead(fate.status, fate.headers).end();
    forward(target, incoming, outgoing, (status) => {
      if (passing.isBytes && status === 200) taken.push(passing.path);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo: (serverUrl) => {
      target = serverUrl;
    },
    onRequest: (wanted) => {
      decide = wanted;
    },
    taken,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function passingOf({ method = "", url = "" }: IncomingMessage): Passing {
  const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
  const part = searchParams.get("part");
  const path = decodeURIComponent(pathname) + (part === null ? "" : `#${part}`);
  return { method, path, isBytes: method === "PUT" };
}

function forward(
  target: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onAnswer: (status: number | undefined) => void,
): void {
  const { method, url, headers } = incoming;
  const onward = request(`${target}${url}`, { method, headers }, (answer) => {
    onAnswer(answer.statusCode);
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.on("error", () => outgoing.destroy());
    answer.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  incoming.on("error", () => onward.destroy());
  incoming.on("aborted", () => onward.destroy());
  incoming.pipe(onward);
}
