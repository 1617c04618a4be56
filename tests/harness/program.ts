/** The whole program in this process, on PGlite or on a PostgreSQL server, with callers of every role. */

import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseConfig } from "../../src/apps/config.ts";
import { createLog } from "../../src/apps/log.ts";
import { openProgram, type Program } from "../../src/apps/program.ts";
import { createAccessTokens, type TokenHolder } from "../../src/platform/access-tokens.ts";
import { openPglite } from "../../src/platform/embedded/postgres.ts";
import { type Postgres, startPostgres } from "./postgres.ts";

export const DATABASES = ["PGlite", "PostgreSQL"] as const;
export type Database = (typeof DATABASES)[number];

export type Reply = {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
  body: any;
};

/** `send` is what JSON.stringify takes, or a string or bytes with a content type of their own. */
export type Caller = (
  method: string,
  path: string,
  send?: unknown,
  headers?: { [name: string]: string },
) => Promise<Reply>;

export type TestProgram = Program & {
  /** Calls below /api with a token that says this; nobody's without. */
  as(holder?: Partial<TokenHolder>): Caller;
  token(holder: Partial<TokenHolder>): string;
  lettersTo(email: string): Promise<string[]>;
  /** An organization with an organizer of its own. */
  makeOrganization(orgId?: string): Promise<{ orgId: string; organizer: Caller }>;
};

export type Settings = { [variable: string]: string };

/** One PostgreSQL server for a test file; each program gets a database of its own in it. */
export async function openDatabases(database: Database): Promise<{
  open(settings?: Settings): Promise<TestProgram>;
  close(): Promise<void>;
}> {
  const postgres = database === "PostgreSQL" ? await startPostgres() : undefined;
  const programs: TestProgram[] = [];
  return {
    open: async (settings = {}) => {
      const program = await openOne(postgres, settings);
      programs.push(program);
      return program;
    },
    close: async () => {
      await Promise.all(programs.map((program) => program.close()));
      await postgres?.stop();
    },
  };
}

async function openOne(postgres: Postgres | undefined, settings: Settings): Promise<TestProgram> {
  const dataFolder = await mkdtemp(join(tmpdir(), "snaprace-program-"));
  const registry = postgres ? { DATABASE_URL: await postgres.createDatabase() } : await copyCluster(dataFolder);
  const config = parseConfig({ SNAPRACE_DATA: dataFolder, LOG_LEVEL: "silent", ...registry, ...settings });
  const program = await openProgram(config, createLog({ level: "silent" }));
  if (config.workers) program.startWorkers();
  const { secret, embedded } = program.opened;
  const tokens = createAccessTokens(secret, { now: Date.now, revokedBefore: () => 0 });
  const token = (holder: Partial<TokenHolder>) => tokens.issue({ ...NOBODY, ...holder }, 3_600_000);
  const as = (holder?: Partial<TokenHolder>) => callerOf(program, holder && token(holder));
  let closed: Promise<void> | undefined;
  const close = async () => {
    await program.close();
    await rm(dataFolder, { recursive: true, force: true });
  };
  return {
    ...program,
    as,
    token,
    lettersTo: async (email) => {
      const letters = (await embedded?.inbox?.list(50)) ?? [];
      return letters.filter((letter) => letter.to === email).map((letter) => letter.text);
    },
    makeOrganization: (orgId = `org-${randomBytes(4).toString("hex")}`) => makeOrganization(as, orgId),
    close: () => {
      closed ??= close();
      return closed;
    },
  };
}

const NOBODY: TokenHolder = {
  userId: "somebody",
  operator: false,
  organizations: [],
  photographers: [],
  session: false,
  tokenId: "t_test",
};

async function makeOrganization(as: TestProgram["as"], orgId: string) {
  const operator = as({ operator: true });
  const made = await operator("POST", "/admin/organizations", { orgId, name: `Runners of ${orgId}` });
  if (made.status !== 201) throw new Error(`No organization ${orgId}: ${JSON.stringify(made.body)}`);
  return { orgId, organizer: as({ userId: `organizer-of-${orgId}`, organizations: [orgId] }) };
}

function callerOf(program: Program, token: string | undefined): Caller {
  return async (method, path, send, headers = {}) => {
    const raw = typeof send === "string" || send instanceof Uint8Array || send instanceof ReadableStream;
    const answer = await program.app.request(`http://127.0.0.1:8080/api${path}`, {
      method,
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(send !== undefined && { "content-type": raw ? "text/csv" : "application/json" }),
        ...headers,
      },
      ...(send !== undefined && { body: (raw ? send : JSON.stringify(send)) as string, duplex: "half" }),
    } as RequestInit);
    return { status: answer.status, headers: answer.headers, body: await readBody(answer) };
  };
}

async function readBody(answer: Response): Promise<unknown> {
  const text = await answer.text();
  return /json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
}

/** Making a cluster takes seconds, copying one a moment: the first test makes the one that all others copy. */
const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const { version } = JSON.parse(readFileSync(join(MODULES, "@electric-sql/pglite/package.json"), "utf8"));
const CACHE = join(MODULES, ".cache/snaprace");
const TEMPLATE = join(CACHE, `pglite-${version}`);

async function copyCluster(dataFolder: string): Promise<Settings> {
  if (!existsSync(TEMPLATE)) await makeTemplate();
  await cp(TEMPLATE, join(dataFolder, "registry"), { recursive: true });
  return {};
}

async function makeTemplate(): Promise<void> {
  const draft = await mkdtemp(join(await makeFolder(CACHE), "draft-"));
  const dialect = await openPglite(join(draft, "cluster"));
  await dialect.createDriver().destroy();
  // Another test file may have been faster, and then its template is as good.
  await rename(join(draft, "cluster"), TEMPLATE).catch(() => {});
  await rm(draft, { recursive: true, force: true });
}

async function makeFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  return folder;
}
