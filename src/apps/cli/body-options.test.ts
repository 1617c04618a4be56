/** Options become a body, and what is wrong with the body is told by the options' names. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Command } from "commander";
import { Problem } from "../../platform/problem.ts";
import type { EntrySettings } from "../../registry/settings.ts";
import { addBodyOptions, type Body, namingOptions, readBody, readChange } from "./body-options.ts";
import { CHANGED_EVENT, mergedEntry, NEW_EVENT } from "./event-options.ts";

function given(args: string[], options = CHANGED_EVENT): Command {
  const command = addBodyOptions(new Command("edit"), options)
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  return command.parse(args, { from: "user" });
}

const bodyOf = (args: string[], options = CHANGED_EVENT): Body => readBody(given(args, options), options);

describe("the body", () => {
  test("has only what was given, where it belongs", () => {
    assert.deepEqual(bodyOf(["--opens", "O", "--first-come", "500", "--bib-pattern", "P", "--location", "L"]), {
      location: "L",
      photos: { bibPattern: "P" },
      entry: { eventType: "FIRST_COME", capacityTotal: 500, opensAt: "O" },
    });
    assert.deepEqual(bodyOf([], NEW_EVENT), {});
  });

  test("knows yes, no and not said", () => {
    assert.deepEqual(bodyOf(["--no-faces"]), { photos: { faceIndexing: false } });
    assert.deepEqual(bodyOf(["--no-faces"], NEW_EVENT), { photos: { faceIndexing: false } });
    assert.deepEqual(bodyOf(["--faces", "--publish"]), { published: true, photos: { faceIndexing: true } });
    assert.deepEqual(bodyOf(["--draft"]), { published: false });
    assert.deepEqual(bodyOf(["--no-entry"]), { entry: null });
    assert.deepEqual(bodyOf(["--cancel-until", ""]), { entry: { cancelUntil: null } });
  });

  test("does not take what contradicts itself", () => {
    for (const args of [
      ["--first-come", "5", "--lottery", "5"],
      ["--no-entry", "--opens", "O"],
      ["--draft", "--publish"],
      ["--first-come", "many"],
    ]) {
      assert.throws(() => given(args), /cannot be used with|Give a whole number/, args.join(" "));
    }
  });

  test("of a change must have something", () => {
    assert.throws(() => readChange(given([]), CHANGED_EVENT), { code: "usage.nothing-to-change" });
  });
});

describe("what is wrong", () => {
  const tell = (command: Command, ...fields: string[]) => {
    const errors = fields.map((field) => ({ field, message: "No." }));
    const problem = new Problem("invalid", "input.invalid", "The body is not right.", { details: { errors } });
    return namingOptions(command, CHANGED_EVENT, Promise.reject(problem));
  };

  test("is told by the option, and of two for the same field by the one that was given", async () => {
    await assert.rejects(tell(given([]), "entry.opensAt", "name"), { message: "--opens: No. --name: No." });
    await assert.rejects(tell(given(["--lottery", "9"]), "entry.capacityTotal"), { message: "--lottery: No." });
    await assert.rejects(tell(given([]), "nothing.known"), { message: "nothing.known: No." });
  });

  test("keeps its code and details", async () => {
    await assert.rejects(tell(given([]), "date"), {
      code: "input.invalid",
      details: { errors: [{ field: "date", message: "No." }] },
    });
  });

  test("stays as it is when it is not about fields", async () => {
    const error = new Problem("missing", "event.not-found", "There is none.");
    await assert.rejects(namingOptions(given([]), CHANGED_EVENT, Promise.reject(error)), error);
  });
});

describe("entry settings", () => {
  const firstCome: EntrySettings = {
    eventType: "FIRST_COME",
    capacityTotal: 500,
    opensAt: "2027-03-01T01:00:00.000Z",
    closesAt: "2027-03-09T01:00:00.000Z",
    bibStart: 1,
    bibFormat: "0000",
  };

  test("change in part", () => {
    assert.deepEqual(mergedEntry(firstCome, { capacityTotal: 600, closesAt: null }), {
      ...{ eventType: "FIRST_COME", capacityTotal: 600, opensAt: firstCome.opensAt, bibStart: 1, bibFormat: "0000" },
    });
  });

  test("become a lottery without what only first-come has", () => {
    const change = { eventType: "LOTTERY", capacityTotal: 9, lotteryCutoffAt: "C", announcedAt: "A" };
    const merged = JSON.parse(JSON.stringify(mergedEntry(firstCome, change)));
    assert.deepEqual(merged, { ...change, opensAt: firstCome.opensAt, bibStart: 1, bibFormat: "0000" });
  });

  test("go away, and need a number of places to be there", () => {
    assert.equal(mergedEntry(firstCome, null), null);
    assert.throws(() => mergedEntry(null, { opensAt: "O" }), { code: "usage.no-places" });
  });
});
