/** Everything that is deployed on AWS, made on local doubles, and how a process finds it. */

import { requestQueue } from "../../src/entry/entry.ts";
import { entryQueue } from "../../src/entry/events.ts";
import { DRAWS_BUCKET } from "../../src/entry/index.ts";
import { ENTRY_TABLE } from "../../src/entry/items.ts";
import { WORKFLOW_NAME, workflowFile } from "../../src/photos/index.ts";
import { failureQueue, jobQueue, PHOTO_BUCKET, photoTable, uploadQueue } from "../../src/photos/photos.ts";
import { type Dynoxide, startDynoxide } from "../../src/platform/contracts/doubles/dynoxide.ts";
import { type Fauxqs, startFauxqs } from "../../src/platform/contracts/doubles/fauxqs.ts";
import {
  MACHINE_ARN_PREFIX,
  type StepFunctions,
  startStepFunctions,
} from "../../src/platform/contracts/doubles/step-functions.ts";
import type { Tasks } from "../../src/platform/ports.ts";
import { registryQueues } from "../../src/registry/events.ts";

const QUEUES = [requestQueue, entryQueue, uploadQueue, failureQueue, jobQueue, ...Object.values(registryQueues)];
const STAGE = "prod";

export type Deployment = {
  dynoxide: Dynoxide;
  fauxqs: Fauxqs;
  states: StepFunctions;
  environment: { [variable: string]: string };
  /** What the workflow's functions do; before, they fail. */
  deployTasks(tasks: Tasks): void;
  stop(): Promise<void>;
};

export async function startDeployment(): Promise<Deployment> {
  const [dynoxide, fauxqs, states] = await Promise.all([startDynoxide(), startFauxqs(), startStepFunctions()]);
  for (const table of [ENTRY_TABLE, photoTable(STAGE)]) await dynoxide.createTable(table);
  for (const { name, settings } of QUEUES) await fauxqs.createQueue(name, settings);
  for (const bucket of [DRAWS_BUCKET, PHOTO_BUCKET]) await fauxqs.createBucket(bucket);
  const deployTasks = (tasks: Tasks) => states.createStateMachine({ name: WORKFLOW_NAME, asl: workflowFile(), tasks });
  const missing = async () => Promise.reject(new Error("The function is not deployed."));
  const names = ["PreprocessImage", "DetectText", "IndexFaces", "FanoutToDynamoDB"];
  deployTasks(Object.fromEntries(names.map((name) => [name, missing])));
  return {
    dynoxide,
    fauxqs,
    states,
    deployTasks,
    environment: {
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
      AWS_ENDPOINT_URL_DYNAMODB: dynoxide.endpoint,
      AWS_ENDPOINT_URL_SQS: fauxqs.endpoint,
      AWS_ENDPOINT_URL_S3: fauxqs.endpoint,
      AWS_ENDPOINT_URL_SFN: states.endpoint,
      SNAPRACE_STATE_MACHINES: MACHINE_ARN_PREFIX,
    },
    stop: async () => {
      await Promise.all([dynoxide.stop(), fauxqs.stop(), states.stop()]);
    },
  };
}
