/**
 * A small Rekognition on this machine: AWS's requests, rules, answers and errors around another recognition engine.
 *
 * Where it differs from Rekognition:
 * - what it reads and how sure it is are those of the engine behind it, so nothing here says how well Rekognition sees;
 * - of a face it knows one figure: Confidence is always 100, Sharpness is the engine's quality, other details are absent;
 * - each word is a line of its own; of more than 100 words it keeps the first 100;
 * - quality filters are not applied beyond what the engine itself leaves out;
 * - a collection and what is in it are there at once, on AWS perhaps a moment later;
 * - a picture's bytes must come with the request: there is no S3 behind it.
 */

import type { IncomingMessage } from "node:http";
import type { Recognition } from "../../ports.ts";
import { serveOnLoopback } from "./loopback.ts";
import { type Input, RekognitionError, rekognitionErrorOf } from "./rekognition-requests.ts";
import { RekognitionService } from "./rekognition-service.ts";

export type Rekognition = {
  endpoint: string;
  /** Refuses so many of the next calls, as Rekognition does above the account's quota. */
  throttleNext(calls: number): void;
  stop(): Promise<void>;
};

export async function startRekognition(recognition: Recognition): Promise<Rekognition> {
  const service = new RekognitionService(recognition);
  let throttled = 0;
  const answer = async (request: IncomingMessage): Promise<object> => {
    const input = await inputOf(request);
    if (throttled > 0) {
      throttled -= 1;
      throw new RekognitionError("ProvisionedThroughputExceededException", "Provisioned rate exceeded");
    }
    return service.act(String(request.headers["x-amz-target"]).replace(/^RekognitionService\./, ""), input);
  };
  const server = await serveOnLoopback(async (request, response) => {
    const [status, body] = await answer(request).then((json) => [200, json] as const, refusal);
    response.writeHead(status, { "content-type": "application/x-amz-json-1.1" }).end(JSON.stringify(body));
  });
  return {
    ...server,
    throttleNext: (calls) => {
      throttled = calls;
    },
  };
}

async function inputOf(request: IncomingMessage): Promise<Input> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (!request.headers.authorization) throw new RekognitionError("MissingAuthenticationTokenException", "not signed");
  return JSON.parse(Buffer.concat(chunks).toString());
}

function refusal(error: unknown): readonly [status: number, body: object] {
  const known = rekognitionErrorOf(error);
  if (known) return [400, { __type: known.name, Message: known.message }];
  return [500, { __type: "InternalServerError", Message: String(error) }];
}
