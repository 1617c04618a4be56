/** A folder of its own for a test, gone when the test is. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

type Scope = { after(clean: () => Promise<void>): void };

export async function temporaryFolder(scope: Scope): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "snaprace-test-"));
  scope.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
