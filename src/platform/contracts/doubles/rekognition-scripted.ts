/** The recognition engine on an endpoint that answers as a test says, with a clock that only counts its sleeps. */

import { RekognitionClient } from "@aws-sdk/client-rekognition";
import { type RekognitionSettings, rekognition } from "../../aws/recognition.ts";
import { type Answer, type Call, startScriptedAws } from "./scripted-aws.ts";

const NOW = 1_800_000_000_000;

type Scripted = { engine: ReturnType<typeof rekognition>; calls: Call[]; sleeps: number[] };
export type Script = (call: Call, number: number) => Answer;

export function openRekognitionClient(endpoint: string, maxAttempts: number): RekognitionClient {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  return new RekognitionClient({ endpoint, region: "us-east-1", credentials, maxAttempts });
}

export async function onScriptedRekognition(
  answer: Script,
  work: (scripted: Scripted) => Promise<unknown>,
  settings: Partial<RekognitionSettings> & { maxAttempts?: number } = {},
): Promise<void> {
  const { endpoint, calls, stop } = await startScriptedAws(answer);
  const client = openRekognitionClient(endpoint, settings.maxAttempts ?? 1);
  const sleeps: number[] = [];
  const clock = { now: () => NOW, sleep: async (ms: number) => void sleeps.push(ms) };
  try {
    await work({ engine: rekognition({ client, clock, ...settings }), calls, sleeps });
  } finally {
    client.destroy();
    await stop();
  }
}
