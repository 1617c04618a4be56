/** Embedded engines in a folder of their own behind a small server, for the contract suites. */

import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createAdaptorServer } from "@hono/node-server";
import type { Subject } from "../contracts/subject.ts";
import { asProblem } from "../problem.ts";
import { type EmbeddedEngines, openEmbeddedEngines } from "./engines.ts";

export async function openEmbeddedSubject(): Promise<Subject> {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  let engines: EmbeddedEngines | undefined;
  const server = createAdaptorServer({
    fetch: async (request) =>
      (engines as EmbeddedEngines).serveBlob(request).catch((error) => {
        const { httpStatus, message } = asProblem(error);
        return new Response(message, { status: httpStatus });
      }),
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const publicUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened = await openEmbeddedEngines({ dataFolder, publicUrl });
  engines = opened;
  let made = 0;
  const fresh = (kind: string) => `${kind}-${++made}`;
  return {
    table: async () => opened.table(fresh("table")),
    queue: async (settings) => opened.queue(fresh("queue"), settings),
    blobs: async () => opened.blobs(fresh("bucket")),
    workflow: async (definition) => opened.workflow({ ...definition, name: fresh(definition.name) }),
    close: async () => {
      server.close();
      await opened.close();
      await rm(dataFolder, { recursive: true });
    },
  };
}
