/** Sends who is not signed in to the sign-in page, and from there back to where they wanted to be. */

import { redirect } from "@tanstack/react-router";
import { queries } from "./api/queries.ts";
import { meQuery } from "./api/session.ts";

export async function requireSignIn({ location }: { location: { href: string } }): Promise<void> {
  const me = await queries.ensureQueryData(meQuery);
  if (!me) throw redirect({ to: "/sign-in", search: { next: location.href } });
}
