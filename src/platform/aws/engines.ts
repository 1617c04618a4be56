/** The set of engines on AWS. Credentials and region come the SDK's usual way unless given. */

import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { RekognitionClient } from "@aws-sdk/client-rekognition";
import { S3Client } from "@aws-sdk/client-s3";
import { SESv2Client } from "@aws-sdk/client-sesv2";
import { SFNClient } from "@aws-sdk/client-sfn";
import { SQSClient } from "@aws-sdk/client-sqs";
import { systemClock } from "../clock.ts";
import type { Clock, Engines, QueueSettings, WorkflowDefinition } from "../ports.ts";
import { Problem } from "../problem.ts";
import { S3Blobs } from "./blobs.ts";
import { sesMail } from "./mail.ts";
import { SqsQueue } from "./queue.ts";
import { rekognition } from "./recognition.ts";
import { DynamoTable } from "./table.ts";
import { StatesWorkflow } from "./workflow.ts";

export type AwsSettings = {
  region?: string;
  credentials?: { accessKeyId: string; secretAccessKey: string };
  /** Other addresses than AWS's own, as of local doubles. */
  endpoints?: { dynamodb?: string; sqs?: string; s3?: string; states?: string; rekognition?: string; ses?: string };
  /** `arn:aws:states:<region>:<account>:stateMachine:`, to which a workflow's name is added. */
  stateMachineArnPrefix?: string;
  /** Who letters are from: an address that SES has verified, or `Name <address>`. */
  mailFrom?: string;
  /** How often the SDK tries a call before it gives up. */
  maxAttempts?: number;
  clock?: Clock;
  /** Told of what goes wrong in the background, where nobody waits for an answer. */
  onError?: (error: unknown) => void;
};

type Opened = { checkReady(): Promise<void>; close?(): Promise<void> };

const MAX_ATTEMPTS = 5;
/** Each consumer holds a connection while it waits; the SDK's 50 would let them starve everything else. */
const MAX_CONNECTIONS = 500;
const CONNECTION_TIMEOUT_MS = 3000;
/** Longer than the longest wait for messages. */
const SOCKET_TIMEOUT_MS = 30_000;

export function openAwsEngines(settings: AwsSettings = {}): Engines {
  const { clock = systemClock, onError = () => {} } = settings;
  const clients = openClients(settings);
  const opened = new Map<string, Opened>();
  const once = <T extends Opened>(kind: string, name: string, open: () => T): T => {
    const id = `${kind} ${name}`;
    const thing = (opened.get(id) as T | undefined) ?? open();
    opened.set(id, thing);
    return thing;
  };
  return {
    clock,
    table: (name) => once("table", name, () => new DynamoTable(clients.dynamodb, clock, name)),
    queue: (name, queueSettings: QueueSettings) =>
      once("queue", name, () => new SqsQueue(clients.sqs, clock, name, queueSettings, onError)),
    blobs: (bucket) => once("bucket", bucket, () => new S3Blobs(clients.s3, clock, bucket)),
    workflow: (definition) =>
      once("workflow", definition.name, () => new StatesWorkflow(clients.states, machineArn(definition, settings))),
    recognition: rekognition({ client: clients.rekognition, clock }),
    mail: sesMail({ client: clients.ses, from: settings.mailFrom }),
    checkReady: async () => {
      await checkRegion(clients.dynamodb);
      await Promise.all([...opened.values()].map((thing) => thing.checkReady()));
    },
    close: async () => {
      await Promise.all([...opened.values()].map((thing) => thing.close?.()));
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

function openClients({ region, credentials, endpoints = {}, maxAttempts = MAX_ATTEMPTS }: AwsSettings) {
  const at = (endpoint: string | undefined) => ({
    ...(region !== undefined && { region }),
    ...(credentials !== undefined && { credentials }),
    ...(endpoint !== undefined && { endpoint }),
    maxAttempts,
    retryMode: "standard",
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT_MS,
      socketTimeout: SOCKET_TIMEOUT_MS,
      httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
    },
  });
  return {
    dynamodb: new DynamoDBClient(at(endpoints.dynamodb)),
    // Queues are found by name; the host in the URL that a double gives for one may lead nowhere.
    sqs: new SQSClient({ ...at(endpoints.sqs), useQueueUrlAsEndpoint: false }),
    s3: new S3Client({
      ...at(endpoints.s3),
      forcePathStyle: endpoints.s3 !== undefined,
      // A checksum that is added by default would become part of what a signed upload must send.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    }),
    states: new SFNClient(at(endpoints.states)),
    rekognition: new RekognitionClient(at(endpoints.rekognition)),
    ses: new SESv2Client(at(endpoints.ses)),
  };
}

/** The SDK looks in the environment and in its own files, and says nothing before the first call. */
async function checkRegion({ config }: DynamoDBClient): Promise<void> {
  try {
    await config.region();
  } catch (cause) {
    const message = "AWS_REGION is not set: set it to the region that SnapRace is deployed to, such as ap-northeast-2.";
    throw new Problem("misconfigured", "config.no-region", message, { cause });
  }
}

function machineArn({ name }: WorkflowDefinition, { stateMachineArnPrefix }: AwsSettings): string {
  if (stateMachineArnPrefix !== undefined) return `${stateMachineArnPrefix}${name}`;
  throw new Problem(
    "misconfigured",
    "workflow.no-arn",
    `SNAPRACE_STATE_MACHINES is not set, so that workflow ${name} can't be found: set it to the ARN of the state machines without their name.`,
  );
}
