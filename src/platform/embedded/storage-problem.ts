/** Says in one sentence what a disk or SQLite error means and what to do about it. */

import { Problem } from "../problem.ts";

const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const SQLITE_NOTADB = 26;

/** Gives a Problem for what an operator can mend, and undefined for anything else, which is a defect of ours. */
export function storageProblem(error: unknown, place: string): Problem | undefined {
  const unavailable = (code: string, message: string) => new Problem("unavailable", code, message, { cause: error });
  switch (reasonOf(error)) {
    case "full":
      return unavailable(
        "storage.full",
        `The disk of ${place} is full. Free some space; nothing acknowledged is lost.`,
      );
    case "read-only":
      return unavailable("storage.read-only", `${place} can't be written to. Check its permissions and mount options.`);
    case "corrupt":
      return unavailable(
        "storage.corrupt",
        `The database in ${place} is damaged. Stop the server and restore the folder from a backup.`,
      );
    case "not a folder":
      return new Problem("misconfigured", "storage.not-a-folder", `${place} is not a folder.`, { cause: error });
    case "failed":
      return unavailable("storage.failed", `The disk of ${place} failed to read or write. Check it, then start again.`);
    default:
      return undefined;
  }
}

function reasonOf(error: unknown): "full" | "read-only" | "corrupt" | "failed" | "not a folder" | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, errcode } = error as { code?: string; errcode?: number };
  if (code === "ENOSPC" || code === "EDQUOT") return "full";
  if (code === "EROFS" || code === "EACCES" || code === "EPERM") return "read-only";
  if (code === "EEXIST" || code === "ENOTDIR") return "not a folder";
  if (code === "EIO") return "failed";
  if (errcode === undefined) return undefined;
  // The low byte is SQLite's primary result code.
  switch (errcode & 0xff) {
    case SQLITE_FULL:
      return "full";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return "read-only";
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return "corrupt";
    case SQLITE_IOERR:
      return "failed";
    default:
      return undefined;
  }
}
