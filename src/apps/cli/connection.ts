/** Calls the API: of a server elsewhere, of the one that runs on the data folder, or, if none does, in this process. */

import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "../../platform/ports.ts";
import { Problem } from "../../platform/problem.ts";
import type { Config } from "../config.ts";
import { checkAnswer, readAnswer } from "./answer.ts";
import { findServer, isFirstStart, openInstallation } from "./installation.ts";
import { issueToken } from "./issue-token.ts";
import { configOf, remoteOf, type Target } from "./target.ts";

const TOKEN_LIFETIME_MS = 15 * 60_000;
/** A server may be starting, or another command at work; the first start on a slow machine takes half of this. */
const PATIENCE_MS = 60_000;
const ASK_AGAIN_MS = 250;
const LARGEST_PAGE = 200;
/** A server that says "not now" more often than this has something else to do. */
const MOST_TRIES = 5;

export type Connection = {
  /** Where people find the server, if one answers. */
  serverUrl: string | undefined;
  /** Sends and gets JSON; the path is below /api. */
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** All pages of a list, or only its first entries. */
  list<T>(path: string, limit?: number): Promise<T[]>;
  sendCsv<T>(path: string, bytes: AsyncIterable<Uint8Array>): Promise<T>;
  download(path: string): Promise<ReadableStream<Uint8Array>>;
  /** Sends to a signed URL, wherever it leads. */
  fetchSigned(request: Request): Promise<Response>;
  close(): Promise<void>;
};

/** Throws a Problem for an answer that tells of one. */
type Send = (path: string, init: RequestInit) => Promise<Response>;
type Line = { send: Send; serverUrl?: string; fetchSigned?: Connection["fetchSigned"]; close?(): Promise<void> };
/** Gives one that is still good for a while. */
type Token = () => string;

/** `say` hears why it takes long, if it does. */
export async function openConnection(target: Target, say: (line: string) => void): Promise<Connection> {
  const remote = remoteOf(target);
  if (remote) return connect({ send: overHttp(remote.url, () => remote.token), serverUrl: remote.url });
  const config = configOf(target);
  const token = renewed(() => issueToken(config, commandLine(), TOKEN_LIFETIME_MS));
  return connect(await findLine(config, token, say));
}

/** Some commands work for hours. */
function renewed(issue: () => string): Token {
  let token = issue();
  let issuedAt = Date.now();
  return () => {
    if (Date.now() - issuedAt < TOKEN_LIFETIME_MS / 2) return token;
    token = issue();
    issuedAt = Date.now();
    return token;
  };
}

function commandLine() {
  const nobodyElse = { organizations: [], photographers: [], session: false };
  return { userId: "command-line", operator: true, ...nobodyElse, tokenId: randomUUID() };
}

async function findLine(config: Config, token: Token, say: (line: string) => void): Promise<Line> {
  // Asked first, since opening the program takes a second even where it then can't be opened.
  const running = await findServer(config, { alive: true });
  if (running) return toServerOf(config, running, token);
  if (isFirstStart(config)) say("Setting up the data folder: only the first time, some seconds.");
  const deadline = performance.now() + PATIENCE_MS;
  for (let isFirst = true; ; isFirst = false) {
    try {
      const { program, send, close } = await openInstallation(config);
      const { app, opened } = program;
      return {
        send: (path, init) => send(requestOf(config.publicUrl, token(), path, init)),
        // Signed URLs that lead to this installation find nobody who listens there.
        ...(opened.serveBlob && { fetchSigned: async (request) => app.fetch(request) }),
        close,
      };
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== "data.in-use") throw error;
      const started = await findServer(config);
      if (started) return toServerOf(config, started, token);
      if (performance.now() > deadline) throw error;
      if (isFirst) say("Waiting for the data folder, which another SnapRace is using.");
      await sleep(ASK_AGAIN_MS);
    }
  }
}

function toServerOf({ dataFolder }: Config, url: string, token: Token): Line {
  const overWire = overHttp(url, token);
  const send: Send = (path, init) =>
    overWire(path, init).catch((error) => {
      if (error.code !== "token.invalid") throw error;
      const sentence = `The server at ${url} has another secret than ${dataFolder}. Set SNAPRACE_SECRET as it is set there.`;
      throw new Problem("unauthenticated", "token.other-secret", sentence);
    });
  return { send, serverUrl: url };
}

function overHttp(url: string, token: Token): Send {
  return async (path, init) => {
    const answer = await fetch(requestOf(url, token(), path, init)).catch((cause) => {
      const sentence = `No SnapRace answers at ${url}. Check the address, and that the server runs.`;
      throw new Problem("unavailable", "server.unreachable", sentence, { cause });
    });
    return checkAnswer(answer, url);
  };
}

function requestOf(url: string, token: string, path: string, init: RequestInit): Request {
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  return new Request(`${url}/api${path}`, { redirect: "manual", ...init, headers });
}

function connect({ send, serverUrl, fetchSigned = fetch, close = async () => {} }: Line): Connection {
  const server = serverUrl ?? "SnapRace";
  const call = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const json = body !== undefined && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await whenAllowed(() => send(path, { method, ...json }));
    return (await readAnswer(answer, server)) as T;
  };
  return {
    serverUrl,
    call,
    list: (path, limit) => readPages((query) => call("GET", `${path}${path.includes("?") ? "&" : "?"}${query}`), limit),
    sendCsv: async <T>(path: string, bytes: AsyncIterable<Uint8Array>) => {
      const body = ReadableStream.from(bytes);
      const answer = await send(path, {
        method: "POST",
        headers: { "content-type": "text/csv" },
        body,
        duplex: "half",
      });
      return (await readAnswer(answer, server)) as T;
    },
    download: async (path) => (await send(path, { method: "GET" })).body ?? ReadableStream.from([]),
    fetchSigned,
    close,
  };
}

/** Whoever was told to wait did nothing yet, so that it can be sent again. */
async function whenAllowed<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const wait = error instanceof Problem && error.kind === "too-many" ? error.retryInMs : undefined;
      if (wait === undefined || tries === MOST_TRIES) throw error;
      await sleep(wait);
    }
  }
}

async function readPages<T>(readPage: (query: string) => Promise<Page<T>>, limit = Number.POSITIVE_INFINITY) {
  const items: T[] = [];
  let cursor: string | undefined;
  do {
    const query = new URLSearchParams({ limit: String(Math.min(LARGEST_PAGE, limit - items.length)) });
    if (cursor !== undefined) query.set("cursor", cursor);
    const page = await readPage(String(query));
    items.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== undefined && items.length < limit);
  return items;
}
