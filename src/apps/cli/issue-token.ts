/** Issues tokens with the secret of an installation, without opening anything of it. */

import { createAccessTokens, type TokenHolder } from "../../platform/access-tokens.ts";
import { readSecret } from "../../platform/embedded/data-folder.ts";
import { storageProblem } from "../../platform/embedded/storage-problem.ts";
import type { Config } from "../config.ts";
import { missing } from "../engines.ts";

/** Works while a server runs on the data folder, and before one ever did. */
export function issueToken(config: Config, holder: TokenHolder, lifetimeMs: number): string {
  const tokens = createAccessTokens(secretOf(config), { now: Date.now, revokedBefore: () => 0 });
  return tokens.issue(holder, lifetimeMs);
}

function secretOf({ secret, engines, dataFolder }: Config): Uint8Array {
  if (secret) return secret;
  if (engines === "aws") throw missing("SNAPRACE_SECRET", "it is the one that the server has");
  try {
    return readSecret(dataFolder);
  } catch (error) {
    throw storageProblem(error, `the data folder ${dataFolder}`) ?? error;
  }
}
