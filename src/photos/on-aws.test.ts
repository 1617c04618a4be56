/** The same photos on the AWS engines, on local doubles: the bucket's messages and the workflow's failures come as EventBridge sends them. */

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Deployment, startDeployment } from "../../tests/harness/deployment.ts";
import { EVENT, PHOTO_EVENT } from "../../tests/harness/photo-samples.ts";
import { temporaryFolder } from "../../tests/harness/temporary-folder.ts";
import { drawBib } from "../../tests/pictures/scene.ts";
import { openAwsEngines } from "../platform/aws/engines.ts";
import { localSettings } from "../platform/contracts/doubles/aws-subject.ts";
import { dynoxideMissing } from "../platform/contracts/doubles/dynoxide.ts";
import { type Rekognition, startRekognition } from "../platform/contracts/doubles/rekognition.ts";
import { openVision, type Vision } from "../platform/embedded/recognition.ts";
import type { Engines, Message } from "../platform/ports.ts";
import { followFailures } from "./follow-failures.ts";
import { type OpenedPhotos, openPhotos } from "./index.ts";
import { ingestUploads } from "./ingest.ts";
import { bibPartition, type PhotoItem, photoKey } from "./items.ts";
import { rawKey } from "./object-keys.ts";
import { photoIdOf } from "./photo-id.ts";
import { findUpload, readCounts } from "./uploads.ts";

describe("photos on AWS", { skip: dynoxideMissing() ?? false }, () => {
  let deployment: Deployment;
  let vision: Vision;
  let rekognition: Rekognition;
  let engines: Engines;
  let opened: OpenedPhotos;

  before(async () => {
    deployment = await startDeployment();
    vision = openVision({ folder: await temporaryFolder({ after }) });
    rekognition = await startRekognition(vision);
    const { dynoxide, fauxqs, states } = deployment;
    const endpoints = {
      dynamodb: dynoxide.endpoint,
      sqs: fauxqs.endpoint,
      s3: fauxqs.endpoint,
      states: states.endpoint,
      rekognition: rekognition.endpoint,
    };
    engines = openAwsEngines(localSettings(endpoints));
    opened = openPhotos({
      engines,
      stage: "prod",
      facts: {
        eventForPhotos: async (eventId) => (eventId === EVENT.eventId ? PHOTO_EVENT : undefined),
        rosterOf: async () => new Set(),
        creditForPhotos: async () => undefined,
        isAssigned: async () => false,
      },
      onSkip: () => {},
      onError: () => {},
    });
    deployment.deployTasks(opened.tasks);
  });

  after(async () => {
    await engines?.close();
    await Promise.all([rekognition?.stop(), deployment?.stop(), vision?.close()]);
  });

  async function upload(fileName: string, bytes: Uint8Array): Promise<string> {
    const { blobs, bucket } = opened.photos;
    const head = await blobs.put(rawKey(EVENT, fileName), bytes, { contentType: "image/jpeg" });
    const detail = { bucket: { name: bucket }, object: { key: head.key, size: head.sizeBytes, etag: head.etag } };
    const time = new Date(head.createdAt).toISOString();
    const created = { source: "aws.s3", "detail-type": "Object Created", time, detail };
    assert.deepEqual(await ingestUploads(opened.photos)([messageOf(created)]), []);
    return photoIdOf(bucket, head);
  }

  async function ended(ulid: string) {
    for (;;) {
      const execution = await opened.photos.workflow.status(`${ulid}-1`);
      if (execution && execution.status !== "RUNNING") return execution;
      await engines.clock.sleep(50);
    }
  }

  test("an object becomes a photo that its bib finds", async () => {
    const { jpeg, truth } = await drawBib({ seed: 3, kind: "plain" });
    const ulid = await upload("IMG_1.jpg", jpeg);
    assert.deepEqual((await ended(ulid)).output, { ok: true });
    const { table } = opened.photos;
    const photo = (await table.get(photoKey(EVENT, ulid))) as PhotoItem | undefined;
    const number = truth.bibs[0]?.number ?? "";
    assert.deepEqual(photo?.bibs, [number]);
    const ask = { index: "GSI1" as const, partition: bibPartition(EVENT.eventId, number), limit: 10 };
    const { items } = await table.query(ask);
    assert.deepEqual(
      items.map((item) => item.ulid),
      [ulid],
    );
    assert.equal((await readCounts(table, EVENT)).done, 1);
  });

  test("a file that is no picture fails with its reason", async () => {
    const ulid = await upload("paper.jpg", Buffer.from("%PDF-1.7"));
    const { error, cause, status, input } = await ended(ulid);
    assert.deepEqual([status, error], ["FAILED", "ImageProcessingError"]);
    const told = { name: `${ulid}-1`, status, error, cause, input: JSON.stringify(input) };
    const time = new Date().toISOString();
    const type = "Step Functions Execution Status Change";
    const message = messageOf({ source: "aws.states", "detail-type": type, time, detail: told });
    assert.deepEqual(await followFailures(opened.photos)([message]), []);
    const failed = await findUpload(opened.photos.table, { ...EVENT, ulid });
    assert.deepEqual([failed?.status, failed?.failure?.code], ["FAILED", "photo.not-a-picture"]);
  });
});

function messageOf(body: object): Message {
  return { id: "1", body: JSON.stringify(body), receives: 1, sentAt: 0 };
}
