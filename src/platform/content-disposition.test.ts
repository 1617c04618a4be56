/** Names as browsers will read them. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { attachment } from "./content-disposition.ts";

test("a plain name is quoted as it is", () => {
  assert.equal(attachment("bib 101.jpg"), 'attachment; filename="bib 101.jpg"');
});

test("other characters come encoded, with a plain name for old clients", () => {
  assert.equal(
    attachment("마라톤 (1)*.jpg"),
    "attachment; filename=\"___ (1)*.jpg\"; filename*=UTF-8''%EB%A7%88%EB%9D%BC%ED%86%A4%20%281%29%2A.jpg",
  );
});

test("quotes can't end the name early", () => {
  assert.equal(
    attachment('a"; filename=evil.exe'),
    "attachment; filename=\"a'; filename=evil.exe\"; filename*=UTF-8''a%22%3B%20filename%3Devil.exe",
  );
});

test("paths and control characters are no part of a name", () => {
  assert.equal(attachment("../a\\b\r\nc.jpg"), 'attachment; filename=".._a_b__c.jpg"');
});

test("half a surrogate pair does not throw", () => {
  assert.equal(attachment("\ud800.jpg"), "attachment; filename=\"_.jpg\"; filename*=UTF-8''%EF%BF%BD.jpg");
});
