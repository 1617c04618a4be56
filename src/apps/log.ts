/** JSON lines on stderr, each with its request id and none with a secret; stdout stays free for what people asked for. */

import { type DestinationStream, destination, type Logger, pino, stdTimeFunctions } from "pino";
import { currentRequestId } from "../platform/request-context.ts";

export type Log = Logger;

export function createLog(settings: { level: string; to?: DestinationStream }): Log {
  return pino(
    {
      level: settings.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      mixin: () => {
        const requestId = currentRequestId();
        return requestId ? { requestId } : {};
      },
      // The finished line is what leaves the process, so a secret is caught there wherever it came from.
      hooks: { streamWrite: hideSecrets },
    },
    // Synchronous, because the line that says why a process died must be out before it is gone.
    settings.to ?? destination({ dest: 2, sync: true }),
  );
}

const SECRET_PARAMETERS =
  /([?&](?:x-amz-signature|x-amz-credential|x-amz-security-token|signature|sig|token)=)[^&\s"\\]+/gi;
const SECRET_FIELDS = /("(?:authorization|cookie|set-cookie|password|secret|token)":)"(?:[^"\\]|\\.)*"/gi;
const BEARER_TOKENS = /\b(Bearer\s+)[\w.~+/=-]+/gi;

function hideSecrets(line: string): string {
  return line
    .replaceAll(SECRET_PARAMETERS, "$1[hidden]")
    .replaceAll(SECRET_FIELDS, '$1"[hidden]"')
    .replaceAll(BEARER_TOKENS, "$1[hidden]");
}
