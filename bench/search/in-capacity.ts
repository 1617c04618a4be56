/** What a page costs on DynamoDB in read capacity units, as counted by it, with few photos stored and with many. */

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoTable } from "../../src/platform/aws/table.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { dynoxideMissing, startDynoxide } from "../../src/platform/contracts/doubles/dynoxide.ts";
import type { Blobs } from "../../src/platform/ports.ts";
import { count, figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { ASKS, openSubject, type Subject } from "./asks.ts";
import type { Sizes } from "./settings.ts";
import { storePhotos } from "./stored-photos.ts";

const EVENT = { orgId: "han-river", eventId: "han-river-10k" };
const TURNS = 10;

/** URLs are signed without asking S3. */
const blobs = { signDownload: async ({ key }: { key: string }) => key } as unknown as Blobs;

export async function measureCapacity({ few, manyOnDynamo: many }: Sizes): Promise<Row[]> {
  const missing = dynoxideMissing();
  if (missing) {
    progress(`No DynamoDB here: ${missing}.`);
    return [];
  }
  const dynoxide = await startDynoxide();
  const consumed = { units: 0, calls: 0 };
  const client = countingClient(dynoxide.endpoint, consumed);
  try {
    const open = async (photos: number): Promise<Subject> => {
      const name = `photos-${photos}`;
      await dynoxide.createTable(name);
      const table = new DynamoTable(client, systemClock, name);
      await storePhotos(table, EVENT, photos);
      return openSubject(EVENT, photos, { table, blobs });
    };
    const subjects = [await open(few), await open(many)];
    const rows: Row[] = [];
    for (const name of ASKS) {
      const costs: number[] = [];
      for (const subject of subjects) {
        consumed.units = consumed.calls = 0;
        for (let turn = 0; turn < TURNS; turn += 1) await subject.ask(name, turn);
        const measure = `${name}, ${count(subject.photos)} photos on DynamoDB, ${consumed.calls / TURNS} × asked`;
        rows.push(figure(measure, consumed.units / TURNS, "RCU"));
        costs.push(consumed.units);
      }
      const [small = 0, large = 0] = costs;
      const times = large / small;
      rows.push({
        measure: `${name}: RCU with many / with few`,
        value: times,
        unit: "×",
        target: "1",
        ok: times === 1,
      });
    }
    return rows;
  } finally {
    client.destroy();
    await dynoxide.stop();
  }
}

/** Every call asks what it consumed, and adds it up. */
function countingClient(endpoint: string, consumed: { units: number; calls: number }): DynamoDBClient {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new DynamoDBClient({ endpoint, region: "us-east-1", credentials });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next({
        ...args,
        input: { ...args.input, ReturnConsumedCapacity: "TOTAL" } as typeof args.input,
      });
      const { ConsumedCapacity: told } = result.output as { ConsumedCapacity?: Told | Told[] };
      for (const { CapacityUnits = 0 } of [told ?? []].flat()) consumed.units += CapacityUnits;
      consumed.calls += 1;
      return result;
    },
    { step: "initialize", name: "countCapacity" },
  );
  return client;
}

type Told = { CapacityUnits?: number };
