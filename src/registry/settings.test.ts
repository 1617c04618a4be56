/** What settings take beyond what the tests of organizations and events show. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { z } from "zod";
import { Branding, Email, EntrySettings, line, PhotoSettings, Subdomain, TimeZone } from "./settings.ts";

const takes = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

test("a bib pattern is a regular expression that can be tried quickly", () => {
  const isPattern = (bibPattern: string) => takes(PhotoSettings, { bibPattern });
  const good = [
    "[A-Z]?[0-9]{1,6}",
    "(?:VIP|[A-F]{1,2}-)?\\d{3,5}",
    "\\p{Lu}?[0-9]+",
    "(10K|HALF|FULL)-?[0-9]{4}",
    // Within a class or after a backslash they are no choices.
    "[?*+|]{2}\\?\\*\\+\\|\\({3}[)\\]]{2}",
    "(?<letter>[A-Z])(?=[0-9])[0-9]{4}(?!X)(?<=[0-9])(?<!B)",
  ];
  for (const pattern of good) assert.equal(isPattern(pattern), true, pattern);
  const bad = [
    "1(.*)*",
    "1(a|b)+",
    "1(.?){9}",
    "1(?:.+)+",
    `${".?".repeat(7)}X`,
    `${".*".repeat(7)}X`,
    "a|b|c|d|e|f|g|h",
    "1.{0,9}.{0,9}.{0,9}.{0,9}.{0,9}.{0,9}.{0,9}",
    "",
    "x".repeat(101),
    "[",
    "a)(",
    "\\",
  ];
  for (const pattern of bad) assert.equal(isPattern(pattern), false, pattern);
});

test("a line is text that people see and queues carry", () => {
  const name = line(10);
  assert.equal(name.parse("  한강 10K ".normalize("NFD")), "한강 10K");
  assert.equal(name.parse("각".repeat(10).normalize("NFD")), "각".repeat(10));
  assert.equal(name.parse("👩‍👩‍👧"), "👩‍👩‍👧");
  for (const bad of ["", " ", "a".repeat(11), "a\tb", "a\u0085b", "a\u2028b", "\ud800", "a\ufffe", "a\u{1ffff}"]) {
    assert.equal(takes(name, bad), false, JSON.stringify(bad));
  }
});

test("addresses and subdomains are compared without regard to case", () => {
  assert.equal(Email.parse(" Kim@Example.COM "), "kim@example.com");
  assert.equal(Subdomain.parse(" Han-River "), "han-river");
  for (const bad of ["kim", "kim@", "@example.com", "a b@example.com", "kim@example.com\n.x", "김@example.com"]) {
    assert.equal(takes(Email, bad), false, bad);
  }
  for (const bad of ["", "-a", "a-", "a.b", "한강", "a_b", "a".repeat(64)]) {
    assert.equal(takes(Subdomain, bad), false, bad);
  }
});

test("a time zone is a name", () => {
  for (const good of ["Asia/Seoul", "UTC", "Etc/GMT+9", "America/Argentina/Buenos_Aires"]) {
    assert.equal(takes(TimeZone, good), true, good);
  }
  for (const bad of ["", "+09:00", "-11", "09:00", "Asia/", "Seoul", "Asia/Seoul ", "../Seoul"]) {
    assert.equal(takes(TimeZone, bad), false, bad);
  }
});

test("instants are kept in UTC, so that they compare as text", () => {
  const entry = (opensAt: string, closesAt: string) => ({
    eventType: "FIRST_COME",
    capacityTotal: 1,
    opensAt,
    closesAt,
  });
  const kept = EntrySettings.parse(entry("2090-01-05T10:00:00+09:00", "2090-01-05T01:00:00.5Z"));
  assert.equal(kept.opensAt, "2090-01-05T01:00:00.000Z");
  assert.equal("closesAt" in kept && kept.closesAt, "2090-01-05T01:00:00.500Z");
  assert.equal(takes(EntrySettings, entry("2090-01-05T10:00:00-03:00", "2090-01-05T12:59:59Z")), false);
  for (const bad of ["", "soon", "2090-01-05", "2090-13-05T10:00:00Z", "2090-01-05T24:00:00Z"]) {
    assert.equal(takes(EntrySettings, entry(bad, "2090-02-05T00:00:00Z")), false, bad);
  }
});

test("a logo comes over https, as pages show nothing else; a website may be older", () => {
  assert.equal(takes(Branding, { logoUrl: "https://example.com/logo.png" }), true);
  assert.equal(takes(Branding, { websiteUrl: "http://example.com" }), true);
  for (const logoUrl of ["http://example.com/logo.png", "javascript:alert(1)", "data:image/png;base64,", "logo.png"]) {
    assert.equal(takes(Branding, { logoUrl }), false, logoUrl);
  }
});
