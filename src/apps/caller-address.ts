/** Where a request comes from: the connection itself, or what proxies we were told to trust say about it. */

import { isIPv6 } from "node:net";
import type { Incoming } from "../platform/http/exchange.ts";

/** Each trusted proxy adds one address at the end; what stands before those, the caller may have written itself. */
export function callerAddress(request: Incoming, trustedProxies: number): string {
  const direct = request.peer() ?? "unknown";
  if (trustedProxies === 0) return networkOf(direct);
  const forwarded = (request.header("x-forwarded-for") ?? "").split(",").flatMap((part) => part.trim() || []);
  return networkOf(forwarded.at(-trustedProxies) ?? direct);
}

/** Some proxies add the port, which is another one for each connection. */
const WITH_PORT = /^(?:(\d+\.\d+\.\d+\.\d+)|\[([^\]]+)\]):\d+$/;

/** An IPv4 address is one caller; of IPv6 addresses every caller has a whole /64 to choose from. */
function networkOf(text: string): string {
  const port = WITH_PORT.exec(text);
  const address = port?.[1] ?? port?.[2] ?? text;
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  return mapped ?? `${expandIPv6(address).slice(0, 4).join(":")}::/64`;
}

function expandIPv6(address: string): string[] {
  // The URL parser writes every form of an address in one way, in which only `::` is left to be filled.
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, "")}]`);
  const [head = [], tail = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((part) => part.split(":").filter(Boolean));
  return [...head, ...Array(8 - head.length - tail.length).fill("0"), ...tail];
}
