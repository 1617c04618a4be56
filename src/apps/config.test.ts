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
    operators: [],
    corsOrigins: [],
    mailFrom: "SnapRace <snaprace@localhost>",
    trustedProxies: 0,
    rateLimit: 300,
    workers: true,
    stage: "prod",
    vision: {},
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
    DATABASE_URL: "postgres://race:secret@db.example/race",
    SNAPRACE_SECRET: "ab".repeat(32),
    SNAPRACE_OPERATORS: "Kim@Example.com, lee@example.com,",
    SNAPRACE_CORS_ORIGINS: "https://a.example, https://b.example/",
    SMTP_URL: "smtps://race:secret@mail.example",
    SNAPRACE_MAIL_FROM: "Race <race@example.com>",
    SNAPRACE_TRUSTED_PROXIES: "1",
    SNAPRACE_RATE_LIMIT: "50",
    SNAPRACE_WORKERS: "off",
    SNAPRACE_STAGE: "staging-2",
    SNAPRACE_VISION_WORKERS: "3",
    SNAPRACE_MODELS: "/etc/snaprace/models.json",
    SNAPRACE_MIN_FACE_PIXELS: "60",
    SNAPRACE_MIN_FACE_QUALITY: "0.5",
    LOG_LEVEL: "warn",
  });
  assert.deepEqual(config, {
    host: "0.0.0.0",
    port: 9000,
    publicUrl: "https://race.example",
    dataFolder: "/var/lib/snaprace",
    engines: "aws",
    stateMachineArnPrefix: "arn:aws:states:eu-west-1:123456789012:stateMachine:",
    databaseUrl: "postgres://race:secret@db.example/race",
    secret: Buffer.alloc(32, 0xab),
    operators: ["kim@example.com", "lee@example.com"],
    corsOrigins: ["https://a.example", "https://b.example"],
    smtpUrl: "smtps://race:secret@mail.example",
    mailFrom: "Race <race@example.com>",
    trustedProxies: 1,
    rateLimit: 50,
    workers: false,
    stage: "staging-2",
    vision: { workers: 3, modelsFile: "/etc/snaprace/models.json", minFaceHeightPixels: 60, minFaceQuality: 0.5 },
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
  {
    set: { SNAPRACE_OPERATORS: "kim@example.com;lee@example.com" },
    sentence:
      'SNAPRACE_OPERATORS must be e-mail addresses with commas between them, not "kim@example.com;lee@example.com".',
  },
  {
    set: { SNAPRACE_CORS_ORIGINS: "*" },
    sentence:
      'SNAPRACE_CORS_ORIGINS must be http or https addresses without a path, with commas between them, not "*".',
  },
  {
    set: { SNAPRACE_MAIL_FROM: "nobody" },
    sentence: 'SNAPRACE_MAIL_FROM must be an e-mail address, such as SnapRace <race@example.com>, not "nobody".',
  },
  {
    set: { SNAPRACE_TRUSTED_PROXIES: "-1" },
    sentence: 'SNAPRACE_TRUSTED_PROXIES must be a whole number from 0 to 10, not "-1".',
  },
  {
    set: { SNAPRACE_RATE_LIMIT: "0" },
    sentence: 'SNAPRACE_RATE_LIMIT must be a whole number from 1 to 1000000, not "0".',
  },
  // What may hold a password is not repeated.
  {
    set: { DATABASE_URL: "mysql://race:secret@db.example" },
    sentence: "DATABASE_URL must be the URL of a PostgreSQL, such as postgres://user:password@host/database.",
  },
  {
    set: { SNAPRACE_SECRET: "too-short" },
    sentence: "SNAPRACE_SECRET must be at least 64 hex digits, such as `openssl rand -hex 32` prints.",
  },
  {
    set: { SMTP_URL: "mail.example:secret" },
    sentence: "SMTP_URL must be the URL of a mail server, such as smtps://user:password@mail.example.",
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
