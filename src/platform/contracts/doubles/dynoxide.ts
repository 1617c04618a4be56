/** Starts dynoxide, a DynamoDB that runs as a process of its own and keeps nothing. */

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { callJson } from "./aws-json.ts";

const BINARY = fileURLToPath(new URL("../../../../node_modules/@dynoxide/linux-x64/dynoxide", import.meta.url));
const STARTUP_MS = 10_000;

export type Dynoxide = {
  endpoint: string;
  createTable(name: string): Promise<void>;
  stop(): Promise<void>;
};

/** Why dynoxide can't be started here, to skip with; nothing when it can. */
export function dynoxideMissing(): string | undefined {
  if (existsSync(BINARY)) return undefined;
  return `@dynoxide/linux-x64 is not installed (this is ${process.platform}-${process.arch}), so there is no DynamoDB to test with`;
}

export async function startDynoxide(): Promise<Dynoxide> {
  const missing = dynoxideMissing();
  if (missing) throw new Error(missing);
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(BINARY, ["serve", "--host", "127.0.0.1", "--port", String(port)], { stdio: "ignore" });
  // A test run that dies must not leave it behind.
  const killOnExit = () => child.kill("SIGKILL");
  process.once("exit", killOnExit);
  await untilAnswering(endpoint, child);
  return {
    endpoint,
    createTable: (name) => callJson(endpoint, "DynamoDB_20120810.CreateTable", tableNamed(name)).then(() => {}),
    stop: async () => {
      process.off("exit", killOnExit);
      if (child.exitCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

function tableNamed(name: string) {
  const keys = (prefix: string) => [
    { AttributeName: `${prefix}PK`, KeyType: "HASH" },
    { AttributeName: `${prefix}SK`, KeyType: "RANGE" },
  ];
  const indexes = ["GSI1", "GSI2"];
  return {
    TableName: name,
    BillingMode: "PAY_PER_REQUEST",
    KeySchema: keys(""),
    AttributeDefinitions: ["", ...indexes].flatMap((prefix) =>
      keys(prefix).map(({ AttributeName }) => ({ AttributeName, AttributeType: "S" })),
    ),
    GlobalSecondaryIndexes: indexes.map((index) => ({
      IndexName: index,
      KeySchema: keys(index),
      Projection: { ProjectionType: "ALL" },
    })),
  };
}

async function untilAnswering(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + STARTUP_MS;
  for (;;) {
    try {
      await callJson(endpoint, "DynamoDB_20120810.ListTables", {});
      return;
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`dynoxide ended with exit code ${child.exitCode}`);
      if (Date.now() > deadline) throw new Error("dynoxide does not answer", { cause: error });
      await delay(20);
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port to be had");
  return address.port;
}
