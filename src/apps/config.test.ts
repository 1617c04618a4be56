/** The environment: defaults, what each variable does, and the sentence for every wrong one. */

import assert from "node:assert/strict";
import { resolve } from "node:path";
import { test } from "node:test";
import { Problem } from "../platform/problem.ts";
import { parseConfig } from "./config.ts";

test("nothing set gives one machine on 127.0.0.1:8080", () => {
  assert.deepEqual(parseConfig({}), {
    host: "127.0.0.1",
    port: 8080,
    publicUrl: "http://127.0.0.1:8080",
    dataFolder: resolve(".snaprace"),
    engines: "embedded",
    logLevel: "info",
  });
});

test("an empty variable counts as not set", () => {
  assert.deepEqual(parseConfig({ PORT: "", SNAPRACE_DATA: "", LOG_LEVEL: "" }), parseConfig({}));
});

test("what is set holds", () => {
  const config = parseConfig({
    HOST: "0.0.0.0",
    PORT: "9000",
    SNAPRACE_PUBLIC_URL: "https://race.example/",
    SNAPRACE_DATA: "/var/lib/snaprace",
    SNAPRACE_ENGINES: "aws",
    SNAPRACE_STATE_MACHINES: "arn:aws:states:eu-west-1:123456789012:stateMachine:",
    LOG_LEVEL: "warn",
  });
  assert.deepEqual(config, {
    host: "0.0.0.0",
    port: 9000,
    publicUrl: "https://race.example",
    dataFolder: "/var/lib/snaprace",
    engines: "aws",
    stateMachineArnPrefix: "arn:aws:states:eu-west-1:123456789012:stateMachine:",
    logLevel: "warn",
  });
});

test("the address people open is one a browser understands", () => {
  const urlFor = (HOST: string) => parseConfig({ HOST }).publicUrl;
  assert.equal(urlFor("0.0.0.0"), "http://127.0.0.1:8080");
  assert.equal(urlFor("::"), "http://[::1]:8080");
  assert.equal(urlFor("::1"), "http://[::1]:8080");
  assert.equal(urlFor("localhost"), "http://localhost:8080");
});

const wrong = [
  { set: { PORT: "abc" }, sentence: 'PORT must be a whole number from 1 to 65535, not "abc".' },
  { set: { PORT: "0" }, sentence: 'PORT must be a whole number from 1 to 65535, not "0".' },
  { set: { PORT: "65536" }, sentence: 'PORT must be a whole number from 1 to 65535, not "65536".' },
  { set: { PORT: "80.5" }, sentence: 'PORT must be a whole number from 1 to 65535, not "80.5".' },
  { set: { HOST: "a b" }, sentence: 'HOST must be a host name or an IP address, not "a b".' },
  { set: { SNAPRACE_ENGINES: "gcp" }, sentence: 'SNAPRACE_ENGINES must be embedded or aws, not "gcp".' },
  {
    set: { SNAPRACE_STATE_MACHINES: "photos" },
    sentence:
      'SNAPRACE_STATE_MACHINES must be an ARN without a name, such as arn:aws:states:eu-west-1:123456789012:stateMachine:, not "photos".',
  },
  {
    set: { LOG_LEVEL: "loud" },
    sentence: 'LOG_LEVEL must be fatal, error, warn, info, debug, trace or silent, not "loud".',
  },
  ...["race.example", "ftp://race.example", "https://race.example/path", "https://race.example?a=1"].map((url) => ({
    set: { SNAPRACE_PUBLIC_URL: url },
    sentence: `SNAPRACE_PUBLIC_URL must be an http or https address without a path, such as https://race.example, not "${url}".`,
  })),
];

for (const { set, sentence } of wrong) {
  test(`${JSON.stringify(set)} is refused with a sentence`, () => {
    assert.throws(
      () => parseConfig(set),
      (error) => {
        assert.ok(error instanceof Problem);
        assert.equal(error.message, sentence);
        assert.equal(error.exitCode, 78);
        return true;
      },
    );
  });
}
