/** What can't be undone asks for its own id once more. */

import { z } from "zod";
import { Problem } from "../platform/problem.ts";

export const ConfirmQuery = z.strictObject({
  confirm: z.string().normalize("NFC").optional().meta({ description: "The id of what is to be removed, once more." }),
});

export function checkConfirmed(query: z.infer<typeof ConfirmQuery>, id: string): void {
  if (query.confirm === id) return;
  throw new Problem("invalid", "input.not-confirmed", `This can't be undone. If you mean it, add ?confirm=${id}.`);
}
