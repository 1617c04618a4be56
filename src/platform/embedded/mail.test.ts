/** Letters on a machine without a mail server keep the contract, and can be read there for a day. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { systemClock } from "../clock.ts";
import { testMail } from "../contracts/mail.contract.ts";
import type { Letter } from "../ports.ts";
import { type EmbeddedSettings, openEmbeddedEngines } from "./engines.ts";
import type { Inbox } from "./mail.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LETTER: Letter = { to: "runner@mail.example", subject: "Your code", text: "Your code is 1." };

async function open(settings: Partial<EmbeddedSettings> = {}) {
  const dataFolder = await mkdtemp(path.join(tmpdir(), "snaprace-"));
  const engines = await openEmbeddedEngines({ dataFolder, publicUrl: "http://127.0.0.1", ...settings });
  const close = async () => {
    await engines.close();
    await rm(dataFolder, { recursive: true });
  };
  return { engines, inbox: engines.inbox as Inbox, close };
}

testMail("embedded", async () => {
  const { engines, inbox, close } = await open();
  const handedOn = async () => (await inbox.list(1000)).map(({ to, subject, text }) => ({ to, subject, text }));
  return { mail: engines.mail, handedOn, close };
});

describe("the inbox", () => {
  test("has the newest letter first, and as many as asked", async (t) => {
    let now = 1_800_000_000_000;
    const { engines, inbox, close } = await open({ clock: { ...systemClock, now: () => now } });
    t.after(close);
    assert.deepEqual(await inbox.list(10), []);
    for (const text of ["first", "second", "third"]) {
      await engines.mail.send({ ...LETTER, text });
      now += 1;
    }
    assert.deepEqual(await inbox.list(2), [
      { ...LETTER, text: "third", sentAt: 1_800_000_000_002 },
      { ...LETTER, text: "second", sentAt: 1_800_000_000_001 },
    ]);
  });

  test("keeps every letter of the same millisecond", async (t) => {
    const { engines, inbox, close } = await open({ clock: { ...systemClock, now: () => 1_800_000_000_000 } });
    t.after(close);
    await Promise.all(Array.from({ length: 20 }, () => engines.mail.send(LETTER)));
    assert.equal((await inbox.list(100)).length, 20);
  });

  test("forgets a letter after a day, on disk too", async (t) => {
    let now = 1_800_000_000_000;
    const { engines, inbox, close } = await open({ clock: { ...systemClock, now: () => now } });
    t.after(close);
    await engines.mail.send(LETTER);
    now += DAY_MS - 1;
    assert.equal((await inbox.list(10)).length, 1);
    now += 1;
    assert.deepEqual(await inbox.list(10), []);
    assert.equal(await engines.removeExpired(), 1);
  });

  test("tells of a letter once it is kept, and of none that was refused", async (t) => {
    const heard: Letter[] = [];
    const { engines, inbox, close } = await open({ onLetter: (letter) => heard.push(letter) });
    t.after(close);
    await engines.mail.send(LETTER);
    await assert.rejects(engines.mail.send({ ...LETTER, to: "nobody" }));
    assert.deepEqual(heard, [LETTER]);
    assert.equal((await inbox.list(10)).length, 1);
  });
});
