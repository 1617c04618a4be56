/** A page's own script, loaded when it is first shown. */

import { lazyRouteComponent } from "@tanstack/react-router";
import { orUnreachable } from "./api/call.ts";

/** Without a connection there is something to be said; the router itself would load the document anew, which fails too. */
export const lazyPage: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => orUnreachable(load()), name);
