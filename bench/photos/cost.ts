/** What 1,000 photos cost on AWS: the requests of some photos on local doubles, counted, times the list prices. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { openPhotos } from "../../src/photos/index.ts";
import { rawKey } from "../../src/photos/object-keys.ts";
import { uploadQueue } from "../../src/photos/photos.ts";
import { openAwsEngines } from "../../src/platform/aws/engines.ts";
import { localSettings } from "../../src/platform/contracts/doubles/aws-subject.ts";
import { startRekognition } from "../../src/platform/contracts/doubles/rekognition.ts";
import { openVision } from "../../src/platform/embedded/recognition.ts";
import type { Tasks } from "../../src/platform/ports.ts";
import { startWork } from "../../src/platform/queue-work.ts";
import { startDeployment } from "../../tests/harness/deployment.ts";
import { EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { figure, progress } from "../entry/report.ts";
import type { Row } from "../run.ts";
import { byMethod, byTarget, type Counted, startCountingProxy } from "./counting-proxy.ts";
import { type PhotoFile, readPhoto } from "./make-files.ts";

const PER = 1000;
/** Dollars, list prices of us-east-1 in November 2026 as far as we know them; without free tiers, storage and traffic. */
const PRICES = {
  writeUnit: 0.625e-6,
  readUnit: 0.125e-6,
  s3Put: 5e-6,
  s3Get: 0.4e-6,
  sqsRequest: 0.4e-6,
  stateTransition: 25e-6,
  rekognitionImage: 1e-3,
  lambdaRequest: 0.2e-6,
  lambdaGigabyteSecond: 16.6667e-6,
};
/** A whole processor for each function. */
const LAMBDA_GIGABYTES = 1.769;

const LAST_TASK = "FanoutToDynamoDB";
const LOOK_EVERY_MS = 100;

/** Looking at `lastTasks` costs no request. */
type Lambdas = { calls: number; seconds: number; lastTasks: number };
type Bill = { what: string; count: number; dollars: number };

export async function measureCost(files: PhotoFile[]): Promise<Row[]> {
  const bills = await countAll(files);
  const rows = bills.map(({ what, count, dollars }) => {
    progress(`${what}: ${((count / files.length) * PER).toFixed(0)} for ${PER} photos`);
    return figure(`AWS, ${PER} photos: ${what}`, (dollars / files.length) * PER, "$");
  });
  const total = bills.reduce((sum, { dollars }) => sum + dollars, 0);
  return [...rows, figure(`AWS, ${PER} photos: all of it`, (total / files.length) * PER, "$")];
}

async function countAll(files: PhotoFile[]): Promise<Bill[]> {
  const deployment = await startDeployment();
  const folder = await mkdtemp(join(tmpdir(), "snaprace-bench-cost-"));
  const vision = openVision({ folder });
  const rekognition = await startRekognition(vision);
  const { dynoxide, fauxqs, states } = deployment;
  const proxies = {
    dynamodb: await startCountingProxy(dynoxide.endpoint, byTarget),
    sqs: await startCountingProxy(fauxqs.endpoint, byTarget),
    s3: await startCountingProxy(fauxqs.endpoint, byMethod),
    states: await startCountingProxy(states.endpoint, byTarget),
    rekognition: await startCountingProxy(rekognition.endpoint, byTarget),
  };
  const endpoints = Object.fromEntries(Object.entries(proxies).map(([name, { endpoint }]) => [name, endpoint]));
  const engines = openAwsEngines(localSettings(endpoints));
  try {
    const lambdas: Lambdas = { calls: 0, seconds: 0, lastTasks: 0 };
    const executions = await workThrough(files, engines, { deployTasks: deployment.deployTasks, lambdas });
    const counts = Object.fromEntries(Object.entries(proxies).map(([name, proxy]) => [name, proxy.counts])) as {
      [service in keyof typeof proxies]: Counted;
    };
    return billsOf(counts, lambdas, executions);
  } finally {
    await engines.close();
    await Promise.all(Object.values(proxies).map((proxy) => proxy.stop()));
    await Promise.all([rekognition.stop(), vision.close(), deployment.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Answers how many states the executions entered. */
async function workThrough(
  files: PhotoFile[],
  engines: ReturnType<typeof openAwsEngines>,
  { deployTasks, lambdas }: { deployTasks(tasks: Tasks): void; lambdas: Lambdas },
): Promise<number> {
  const facts = {
    eventForPhotos: async () => PHOTO_EVENT,
    rosterOf: async () => new Set<string>(),
    creditForPhotos: async () => undefined,
    isAssigned: async () => false,
  };
  const onError = (error: unknown) => progress(`failed in the background: ${error}`);
  const { photos, tasks, work } = openPhotos({ engines, facts, stage: "prod", onSkip: () => {}, onError });
  deployTasks(timed(tasks, lambdas));
  const consuming = startWork(engines, work);
  for (const [index, file] of files.entries()) {
    const key = rawKey(EVENT, file.name);
    const head = await photos.blobs.put(key, await readPhoto(file), { contentType: "image/jpeg" });
    const detail = { bucket: { name: photos.bucket }, object: { key, size: head.sizeBytes, etag: head.etag } };
    const time = new Date(head.createdAt).toISOString();
    const created = { source: "aws.s3", "detail-type": "Object Created", time, detail };
    // On AWS EventBridge sends it.
    await engines.queue(uploadQueue.name, uploadQueue.settings).send([JSON.stringify(created)]);
    // One after the other: on AWS functions do not take each other's processor.
    while (lambdas.lastTasks <= index) await delay(LOOK_EVERY_MS);
  }
  await consuming.stop();
  const { items } = await photos.table.query({
    partition: `ORG#${EVENT.orgId}#EVT#${EVENT.eventId}`,
    sort: { beginsWith: "UPLOAD#" },
    limit: files.length,
  });
  let entered = 0;
  for (const { ulid, attempt } of items) {
    const history = await photos.workflow.history(`${ulid}-${attempt}`);
    // Beginning counts as one, too.
    entered += 1 + history.filter(({ type }) => type === "StateEntered").length;
  }
  return entered;
}

function timed(tasks: Tasks, lambdas: Lambdas): Tasks {
  const each = Object.entries(tasks).map(([name, run]): [string, Tasks[string]] => [
    name,
    async (input) => {
      const startedAt = performance.now();
      try {
        const output = await run(input);
        if (name === LAST_TASK) lambdas.lastTasks += 1;
        return output;
      } finally {
        lambdas.calls += 1;
        lambdas.seconds += (performance.now() - startedAt) / 1000;
      }
    },
  ]);
  return Object.fromEntries(each);
}

function billsOf(
  counts: { dynamodb: Counted; sqs: Counted; s3: Counted; rekognition: Counted },
  lambdas: Lambdas,
  transitions: number,
): Bill[] {
  const { dynamodb, s3 } = counts;
  const bill = (what: string, count = 0, price = 0): Bill => ({ what, count, dollars: count * price });
  const images = (counts.rekognition.DetectText ?? 0) + (counts.rekognition.IndexFaces ?? 0);
  return [
    bill("Rekognition, pictures", images, PRICES.rekognitionImage),
    bill("Step Functions, state transitions", transitions, PRICES.stateTransition),
    bill("S3, objects written", s3.PUT, PRICES.s3Put),
    bill("S3, objects read or looked at", (s3.GET ?? 0) + (s3.HEAD ?? 0), PRICES.s3Get),
    bill("DynamoDB, write units", dynamodb["write units"], PRICES.writeUnit),
    bill("DynamoDB, read units", dynamodb["read units"], PRICES.readUnit),
    bill("SQS, requests", sqsRequests(counts.sqs), PRICES.sqsRequest),
    bill("Lambda, calls", lambdas.calls, PRICES.lambdaRequest),
    bill(
      "Lambda, gigabyte seconds as long as the tasks took here",
      lambdas.seconds * LAMBDA_GIGABYTES,
      PRICES.lambdaGigabyteSecond,
    ),
  ];
}

/** Asking in vain takes time and not photos, so that only as many times are counted as something was taken off a queue. */
function sqsRequests({ ReceiveMessage: _, ...counts }: Counted): number {
  const taken = (counts.DeleteMessage ?? 0) + (counts.DeleteMessageBatch ?? 0);
  return taken + Object.values(counts).reduce((all, each) => all + each, 0);
}
