/** No id breaks out of the keys and paths that are built from it, whatever somebody tries. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { z } from "zod";
import { onEachDatabase, wrongFields } from "../../tests/harness/registry.ts";
import { Bib, EventId, OrganizationId, PhotographerId, UserId } from "./ids.ts";

const schemas = { OrganizationId, EventId, PhotographerId, UserId, Bib };

const SEPARATORS = ["#", "/", "\\", "%", ":", "?", "*", '"', "'", "EVT", "#EVT#", "#BIB#", "/raw/", "..", "."];
const INVISIBLE = [" ", "\t", "\n", "\u0000", "\u007f", "\u0085", "\u00a0", "\u00ad", "\u200b", "\u200d", "\u202e"];
const FILLERS = ["\u034f", "\u115f", "\u3000", "\u3164", "\ufe0f", "\ufeff", "\uffa0", "\u{e0101}"];
const COMPOSED = [
  "\u0301",
  "\u0308",
  "é",
  "e\u0301",
  "ᄒ",
  "ᅡ",
  "ᆫ",
  "한",
  "ΐ",
  "ß",
  "ﬁ",
  "ǰ",
  "Ａ",
  "１",
  "①",
  "ı",
  "İ",
];
const PLAIN = ["a", "B", "7", "0", "-", "_", "@", "+"];

const nasty = fc.string({
  unit: fc.constantFrom(...PLAIN, ...PLAIN, ...PLAIN, ...COMPOSED, ...SEPARATORS, ...INVISIBLE, ...FILLERS),
  maxLength: 14,
});
const anyText = fc.oneof({ weight: 3, arbitrary: nasty }, fc.string({ unit: "binary", maxLength: 140 }));

/** Texts that the schema takes, as it gives them. */
const accepted = (schema: z.ZodType<string>) =>
  fc
    .string({ unit: fc.constantFrom(...PLAIN, ...COMPOSED, ".", "#", "/"), minLength: 1, maxLength: 8 })
    .map((text) => schema.safeParse(text).data)
    .filter((id) => id !== undefined);

describe("what is accepted", () => {
  for (const [name, schema] of Object.entries(schemas)) {
    test(`as ${name} has nothing that separates or can't be seen, and is its own form`, () => {
      fc.assert(
        fc.property(anyText, (text) => {
          const id = schema.safeParse(text).data;
          if (id === undefined) return;
          assert.doesNotMatch(id, /[#/\\%\s\p{C}\p{Z}]|\p{DI}/u);
          assert.match(id, /^[\p{L}\p{N}]/u);
          assert.equal(id, id.normalize("NFC"));
          assert.equal(schema.parse(id), id);
        }),
        { numRuns: 5000 },
      );
    });

    test(`as ${name} is the same however its characters are put together`, () => {
      fc.assert(
        fc.property(accepted(schema), (id) => {
          assert.equal(schema.parse(id.normalize("NFD")), id);
        }),
      );
    });
  }

  test("is itself after every single character", () => {
    for (let code = 0; code <= 0x10ffff; code++) {
      const text = `A${String.fromCodePoint(code)}`;
      for (const schema of [OrganizationId, Bib]) {
        const id = schema.safeParse(text).data;
        if (id !== undefined && (schema.safeParse(id).data !== id || /\p{DI}|\s/u.test(id))) {
          assert.fail(`U+${code.toString(16)} becomes ${JSON.stringify(id)}`);
        }
      }
    }
  });

  test("has a longest length, counted in characters", () => {
    for (const [schema, longest] of [
      [OrganizationId, 64],
      [EventId, 64],
      [PhotographerId, 64],
      [UserId, 128],
      [Bib, 12],
    ] as const) {
      for (const character of ["A", "한", "𝟙".normalize("NFKC"), "𠀀"]) {
        assert.equal(schema.safeParse(character.repeat(longest)).success, true);
        assert.equal(schema.safeParse(character.repeat(longest + 1)).success, false);
      }
      assert.equal(schema.safeParse("").success, false);
    }
    // One letter that is two as a capital.
    assert.equal(Bib.safeParse("ß".repeat(6)).data, "SS".repeat(6));
    assert.equal(Bib.safeParse("ß".repeat(7)).success, false);
  });

  test("is no name of a folder's own", () => {
    for (const text of [".", "..", "...", ".a", "-a", "_a", "\u0301a", "．．"]) {
      for (const schema of Object.values(schemas)) assert.equal(schema.safeParse(text).success, false, text);
    }
    assert.equal(OrganizationId.parse("a.."), "a..");
  });

  test("as a bib is what the runner wears, however it is typed", () => {
    for (const text of ["a37", " A37 ", "Ａ３７", "Ⓐ㊲".normalize("NFKC")]) assert.equal(Bib.parse(text), "A37");
    assert.notEqual(Bib.parse("037"), Bib.parse("37"));
  });
});

type Tuple = readonly string[];
type KeyShape = { parts: z.ZodType<string>[]; key(parts: Tuple): string; read(key: string): Tuple };

const byHash = (key: string, ...positions: number[]) => {
  const pieces = key.split("#");
  return positions.map((position) => pieces[position] ?? "");
};

/** Every key and path that is built from ids, and how its parts are found in it again. */
const keys: { [name: string]: KeyShape } = {
  "ORG#{orgId}#EVT#{eventId}": {
    parts: [OrganizationId, EventId],
    key: ([orgId, eventId]) => `ORG#${orgId}#EVT#${eventId}`,
    read: (key) => byHash(key, 1, 3),
  },
  "BIB#{bib}#PHOTO#{ulid}": {
    parts: [Bib],
    key: ([bib]) => `BIB#${bib}#PHOTO#01JCQ4M8ZK0000000000000000`,
    read: (key) => byHash(key, 1),
  },
  "IDEMP#{eventId}#{userId}": {
    parts: [EventId, UserId],
    key: ([eventId, userId]) => `IDEMP#${eventId}#${userId}`,
    read: (key) => byHash(key, 1, 2),
  },
  "EVT#{eventId}#BIB#{bib}": {
    parts: [EventId, Bib],
    key: ([eventId, bib]) => `EVT#${eventId}#BIB#${bib}`,
    read: (key) => byHash(key, 1, 3),
  },
  "{orgId}/{eventId}/raw/{filename}": {
    parts: [OrganizationId, EventId],
    key: ([orgId, eventId]) => `${orgId}/${eventId}/raw/../a/b/raw/c.jpg`,
    read: (key) => key.split("/").slice(0, 2),
  },
};

/** Tuples that give the same key as another one. */
function collisions({ key }: KeyShape, tuples: Tuple[]): [Tuple, Tuple][] {
  const known = new Map<string, Tuple>();
  return tuples.flatMap((tuple) => {
    const same = known.get(key(tuple));
    known.set(key(tuple), tuple);
    return same ? [[same, tuple] as [Tuple, Tuple]] : [];
  });
}

describe("breaking out of a key", () => {
  const words = ["a", "a#a", "a#EVT#a", "a#BIB#A", "A#BIB#A", "A#PHOTO#A", "a/a", "a/a/raw", "..", "a#", "#a", "A"];
  for (const [name, shape] of Object.entries(keys)) {
    test(`${name}: its parts are found in it again`, () => {
      const tuple = fc.tuple(...shape.parts.map(accepted));
      fc.assert(fc.property(tuple, (parts) => assert.deepEqual(shape.read(shape.key(parts)), parts)));
    });

    test(`${name}: what was made to break out is not accepted`, () => {
      const tuples = shape.parts.reduce<Tuple[]>(
        (all) => all.flatMap((tuple) => words.map((word) => [...tuple, word])),
        [[]],
      );
      const isAccepted = (tuple: Tuple) => shape.parts.every((schema, n) => schema.safeParse(tuple[n]).success);
      const kept = tuples.filter(isAccepted).map((tuple) => shape.parts.map((schema, n) => schema.parse(tuple[n])));
      const distinct = [...new Map(kept.map((tuple) => [JSON.stringify(tuple), tuple])).values()];
      assert.ok(distinct.length > 0);
      assert.deepEqual(collisions(shape, distinct), []);
      // Without the schemas the same words do collide, so this would be noticed.
      if (shape.parts.length > 1) assert.notDeepEqual(collisions(shape, tuples), []);
    });
  }
});

onEachDatabase("ids in addresses", (scene) => {
  const ask = (path: string) => scene.operator("GET", path);

  test("that separate, hide or are too long are refused", async () => {
    for (const id of ["a%23b", "a%2Fb", "a%5Cb", "%00", "a%00", "%zz", "a%25b", "a%20b", "a%E2%80%8B", "%EF%BC%8E"]) {
      const organization = await ask(`/admin/organizations/${id}`);
      assert.deepEqual([organization.status, wrongFields(organization)], [400, ["orgId"]], id);
      const event = await ask(`/events/${id}`);
      assert.deepEqual([event.status, wrongFields(event)], [400, ["eventId"]], id);
    }
    assert.equal((await ask(`/admin/organizations/${"a".repeat(65)}`)).status, 400);
    assert.equal((await ask(`/admin/organizations/${"a".repeat(64)}`)).body.code, "organization.not-found");
    for (const orgId of ["a#b", "a/b", "..", "a\u0000", "a".repeat(65), "a\u3164", "a\ufe0f"]) {
      const made = await scene.operator("POST", "/admin/organizations", { orgId, name: "A" });
      assert.deepEqual([made.status, made.body.code], [400, "input.invalid"], JSON.stringify(orgId));
    }
  });

  test("that mean a folder lead nowhere else", async () => {
    const { orgId, organizer } = await scene.program.makeOrganization();
    for (const path of ["..", "%2e%2e", "%2E.", `x/../../organizations/..`]) {
      const { status, body } = await organizer("DELETE", `/admin/organizations/${path}?confirm=${orgId}`);
      assert.deepEqual([status, body.code], [404, "http.not-found"], path);
    }
    assert.equal((await organizer("GET", `/admin/organizations/${orgId}`)).status, 200);
  });

  test("are one id, composed or not", async () => {
    const end = Date.now().toString(36);
    const [orgId, eventId] = [`한강-é-${end}`, `서울-ü-${end}`];
    const decomposed = (id: string) => encodeURIComponent(id.normalize("NFD"));
    const made = await scene.operator("POST", "/admin/organizations", { orgId: orgId.normalize("NFD"), name: "한강" });
    assert.deepEqual([made.status, made.body.orgId], [201, orgId]);
    assert.equal(made.headers.get("location"), `/api/admin/organizations/${encodeURIComponent(orgId)}`);
    const again = await scene.operator("POST", "/admin/organizations", { orgId, name: "한강" });
    assert.deepEqual([again.status, again.body.code], [409, "organization.exists"]);

    const organizer = scene.program.as({ organizations: [orgId] });
    const event = { eventId: eventId.normalize("NFD"), name: "Race", date: "2090-04-18", timeZone: "Asia/Seoul" };
    await organizer("POST", `/admin/organizations/${decomposed(orgId)}/events`, event);
    for (const id of [encodeURIComponent(eventId), decomposed(eventId)]) {
      assert.equal((await ask(`/events/${id}`)).body.eventId, eventId);
      assert.equal((await organizer("GET", `/admin/events/${id}`)).status, 200);
    }
    const path = `/admin/events/${decomposed(eventId)}`;
    assert.equal((await organizer("POST", `${path}/runners`, { bib: "é１".normalize("NFD") })).body.bib, "É1");
    assert.equal((await organizer("GET", `${path}/runners/${encodeURIComponent("É1")}`)).status, 200);
    assert.equal((await organizer("DELETE", `${path}?confirm=${decomposed(eventId)}`)).status, 204);
  });
});
