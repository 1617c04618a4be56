/** The timed eye sees what the product's sees, and counts the time inside the models. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { InferenceSession } from "onnxruntime-node";
import { openEye } from "../../src/platform/embedded/vision/eye.ts";
import { readModels } from "../../src/platform/embedded/vision/models.ts";
import { drawScene } from "../../tests/pictures/scene.ts";
import { cpuMsOf, openTimedEye } from "./timed-eye.ts";

test("it sees the same, and tells of each model how often it ran and how long", async () => {
  const files = readModels();
  const create = InferenceSession.create;
  const eye = await openTimedEye(files);
  assert.equal(InferenceSession.create, create);
  const { jpeg } = await drawScene({ seed: 3, kind: "plain", width: 800 });

  const { result, cpuMs } = await cpuMsOf(() => eye.look(jpeg, "everything"));
  assert.deepEqual(result, await (await openEye(files)).look(jpeg, "everything"));
  const times = eye.takeTimes();
  assert.equal(times.get("faceDetector")?.runs, 1);
  assert.equal(times.get("faceEmbedder")?.runs, result.faces.length);
  assert.ok((times.get("textDetector")?.runs ?? 0) >= 1);
  const inModelsMs = [...times.values()].reduce((sum, each) => sum + each.cpuMs, 0);
  assert.ok(inModelsMs > 0 && inModelsMs < cpuMs, `${inModelsMs} of ${cpuMs} ms`);

  await eye.look(jpeg, "faces");
  assert.equal(eye.takeTimes().get("textDetector"), undefined);
});
