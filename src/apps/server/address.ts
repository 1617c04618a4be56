/** Where the server of a data folder is reached on this machine: left in the folder for the command line to find. */

import { readFileSync } from "node:fs";
import path from "node:path";
import { writeFileAtStart } from "../../platform/embedded/durable-files.ts";

export function writeAddress(dataFolder: string, url: string): void {
  writeFileAtStart(path.join(dataFolder, "address"), `${url} ${process.pid}\n`, 0o644);
}

/** Only what the folder's last owner wrote: a killed server leaves its address behind, and others hold the folder too. */
export function readAddress(dataFolder: string): { url: string; pid: number } | undefined {
  try {
    const [url, pid] = readLine(dataFolder, "address").split(" ");
    return url && pid && pid === readLine(dataFolder, "owner") ? { url, pid: Number(pid) } : undefined;
  } catch {
    return undefined;
  }
}

function readLine(dataFolder: string, name: string): string {
  return readFileSync(path.join(dataFolder, name), "utf8").trim();
}
