/** What the registry's use cases work with. */

import type { Clock } from "../platform/ports.ts";
import type { RegistryDatabase } from "./database.ts";
import type { Revocations } from "./sign-in/revocations.ts";

export type Registry = { db: RegistryDatabase; clock: Clock; revocations: Pick<Revocations, "revoke"> };
