/** The AWS engines on an endpoint that answers as a test says, with a clock that only counts its sleeps. */

import { type AwsSettings, openAwsEngines } from "../../aws/engines.ts";
import type { Engines } from "../../ports.ts";
import { localSettings } from "./aws-subject.ts";
import { type Answer, type Call, startScriptedAws } from "./scripted-aws.ts";

export const NOW = 1_800_000_000_000;

export type Scripted = { engines: Engines; calls: Call[]; sleeps: number[]; errors: unknown[] };

export async function onScriptedAws(
  answer: (call: Call, number: number) => Answer,
  work: (scripted: Scripted) => Promise<unknown>,
  settings: AwsSettings = {},
): Promise<void> {
  const aws = await startScriptedAws(answer);
  const { endpoint, calls } = aws;
  const sleeps: number[] = [];
  const errors: unknown[] = [];
  const engines = openAwsEngines({
    ...localSettings({ dynamodb: endpoint, sqs: endpoint, s3: endpoint, states: endpoint, ses: endpoint }),
    clock: { now: () => NOW, sleep: async (ms) => void sleeps.push(ms) },
    onError: (error) => errors.push(error),
    ...settings,
  });
  try {
    await work({ engines, calls, sleeps, errors });
  } finally {
    await engines.close();
    await aws.stop();
  }
}
