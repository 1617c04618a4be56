/** An AWS endpoint that answers as a test says, to see what the engines make of answers that no double gives. */

import { serveOnLoopback } from "./loopback.ts";

export type Call = {
  /** The operation, where the protocol names it, as `PutItem`. */
  action: string;
  /** The JSON sent, or the text where it is none. */
  input: { [field: string]: unknown };
  url: string;
  headers: { [name: string]: string | string[] | undefined };
};
export type Answer = {
  headers?: { [name: string]: string };
  status?: number;
  json?: object;
  text?: string;
  /** Keeps the caller waiting. */
  never?: true;
};

export type ScriptedAws = { endpoint: string; calls: Call[]; stop(): Promise<void> };

export async function startScriptedAws(answer: (call: Call, number: number) => Answer): Promise<ScriptedAws> {
  const calls: Call[] = [];
  const server = await serveOnLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const call: Call = {
      action: String(request.headers["x-amz-target"] ?? "").replace(/^.*\./, ""),
      input: parsed(Buffer.concat(chunks).toString()),
      url: request.url ?? "",
      headers: request.headers,
    };
    calls.push(call);
    const { status = 200, headers = {}, json, text, never } = answer(call, calls.length);
    if (never) return;
    const contentType = json ? "application/x-amz-json-1.0" : "application/xml";
    response.writeHead(status, { "content-type": contentType, ...headers }).end(json ? JSON.stringify(json) : text);
  });
  return { ...server, calls };
}

/** An error as AWS's JSON protocols write it. */
export function awsError(type: string, fields: object = {}, status = 400): Answer {
  return { status, json: { __type: `com.amazonaws#${type}`, message: `${type} happened`, ...fields } };
}

function parsed(text: string): { [field: string]: unknown } {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}
