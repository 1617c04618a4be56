/** Tells whether a request was made on this very machine, for pages that nobody else may see; in doubt it was not. */

import { BlockList, isIPv6 } from "node:net";
import type { Context } from "hono";

const LOCAL_HOST = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i;
const FORWARDING_HEADER = /^(forwarded|via|x-real-ip|x-forwarded-.+)$/;

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** What @hono/node-server tells of a connection. */
type Incoming = { httpVersion?: string; socket?: { remoteAddress?: string } };

export function isFromThisMachine(c: Context): boolean {
  return namesThisMachine(c) && !isForwarded(c) && !isForAnotherSite(c) && cameOverLoopback(c);
}

/** Another site's name that leads to 127.0.0.1 would make its page one of ours in a browser's eyes. */
function namesThisMachine(c: Context): boolean {
  return LOCAL_HOST.test(c.req.header("host") ?? "");
}

function isForwarded(c: Context): boolean {
  return Object.keys(c.req.header()).some((name) => FORWARDING_HEADER.test(name));
}

/** Browsers say who asks. A link from another local server is welcome, its frames and fetches are not. */
function isForAnotherSite(c: Context): boolean {
  const site = c.req.header("sec-fetch-site") ?? "none";
  if (site === "same-site") return c.req.header("sec-fetch-dest") !== "document";
  return site !== "none" && site !== "same-origin";
}

function cameOverLoopback(c: Context): boolean {
  const incoming = (c.env as { incoming?: Incoming } | undefined)?.incoming;
  if (!incoming) return true;
  // A proxy may name no forwarder and call us localhost, as nginx does unless told otherwise; it then speaks HTTP/1.0.
  if (incoming.httpVersion === "1.0") return false;
  const address = incoming.socket?.remoteAddress ?? "";
  return loopback.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}
