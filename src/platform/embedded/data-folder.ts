/** The one folder everything lives in, held by one server at a time through a lock that the kernel drops when it dies. */

import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Problem } from "../problem.ts";
import { makeFileAtStart, makeFolderAtStart, writeFileAtStart } from "./durable-files.ts";
import { storageProblem } from "./storage-problem.ts";

const SQLITE_BUSY = 5;

export type DataFolder = {
  path: string;
  /** Signs this installation's URLs; made once, readable by the owner only. */
  secret: Buffer;
  release(): void;
};

export function openDataFolder(folder: string): DataFolder {
  const root = path.resolve(folder);
  try {
    makeFolderAtStart(root);
    const lock = takeLock(root);
    writeFileAtStart(path.join(root, "owner"), `${process.pid}\n`, 0o644);
    return { path: root, secret: readSecret(root), release: () => lock.close() };
  } catch (error) {
    throw storageProblem(error, `the data folder ${root}`) ?? error;
  }
}

/** A lock file with a process id in it goes stale after a kill; an exclusive SQLite transaction can't. */
function takeLock(root: string): DatabaseSync {
  const lock = new DatabaseSync(path.join(root, "lock"));
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    throw new Problem(
      "conflict",
      "data.in-use",
      `The data folder ${root} is in use by another SnapRace (process ${ownerOf(root)}). Stop that one, or set SNAPRACE_DATA to another folder.`,
    );
  }
}

function ownerOf(root: string): string {
  try {
    return readFileSync(path.join(root, "owner"), "utf8").trim();
  } catch {
    return "unknown";
  }
}

/** Makes the folder and its secret if they are not there yet, also while a server starts on it. */
export function readSecret(folder: string): Buffer {
  const file = path.join(folder, "secret");
  try {
    return readFileSync(file);
  } catch (error) {
    if ((error as { code?: string }).code !== "ENOENT") throw storageProblem(error, `the file ${file}`) ?? error;
  }
  makeFolderAtStart(folder);
  makeFileAtStart(file, randomBytes(32), 0o600);
  return readFileSync(file);
}
