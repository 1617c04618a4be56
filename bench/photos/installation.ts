/** The real server with an event to upload to, and what a photographer and a runner ask of it. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAccessTokens } from "../../src/platform/access-tokens.ts";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { startServer } from "../../tests/harness/server.ts";
import { QUIET, showComplaints } from "../entry/installation.ts";

const EVENT_ID = "bench-10k";
const TOKEN_LIFETIME_MS = 24 * 3_600_000;

export type Summary = { uploaded: number; processing: number; done: number; failed: number };
export type ListedPhoto = { ulid: string; fileName: string };

export type Installation = {
  pid: number;
  /** As a photographer's browser does: asks for a signed URL, and sends the file there. */
  upload(name: string, bytes: Buffer): Promise<void>;
  summary(): Promise<Summary>;
  /** The newest of the gallery, as a runner sees it. */
  newest(limit: number): Promise<ListedPhoto[]>;
  close(): Promise<void>;
};

export async function openInstallation(): Promise<Installation> {
  const dataFolder = await mkdtemp(join(tmpdir(), "snaprace-bench-photos-data-"));
  const server = await startServer({ dataFolder, ...QUIET });
  const tokens = createAccessTokens(readSecret(dataFolder), { now: Date.now, revokedBefore: () => 0 });
  const holder = {
    userId: "rig",
    operator: true,
    organizations: [],
    photographers: [],
    session: false,
    tokenId: "rig",
  };
  const headers = {
    authorization: `Bearer ${tokens.issue(holder, TOKEN_LIFETIME_MS)}`,
    "content-type": "application/json",
  };
  const call = async <T>(method: string, path: string, send?: object): Promise<T> => {
    const body = send && { body: JSON.stringify(send) };
    const answer = await fetch(`${server.url}/api${path}`, { method, headers, ...body });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text) as T;
  };
  await call("POST", "/admin/organizations", { orgId: "bench", name: "Bench" });
  const event = { eventId: EVENT_ID, name: "Bench 10K", date: "2090-04-18", timeZone: "Asia/Seoul" };
  await call("POST", "/admin/organizations/bench/events", event);
  return {
    pid: server.pid,
    upload: async (name, bytes) => {
      const files = [{ name, sizeBytes: bytes.length, contentType: "image/jpeg" }];
      const { items } = await call<{ items: { upload?: { url: string; headers: { [name: string]: string } } }[] }>(
        "POST",
        `/events/${EVENT_ID}/uploads`,
        { files },
      );
      const upload = items[0]?.upload;
      if (!upload) throw new Error(`${name} was not taken: ${JSON.stringify(items[0])}`);
      const sent = await fetch(upload.url, { method: "PUT", headers: upload.headers, body: new Uint8Array(bytes) });
      if (!sent.ok) throw new Error(`${name}: ${sent.status} ${await sent.text()}`);
      await sent.arrayBuffer();
    },
    summary: () => call("GET", `/admin/events/${EVENT_ID}/photos/summary`),
    newest: async (limit) =>
      (await call<{ items: ListedPhoto[] }>("GET", `/events/${EVENT_ID}/photos?limit=${limit}`)).items,
    close: async () => {
      const { stdout, stderr } = await server.stop();
      showComplaints(`${stdout}${stderr}`);
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
