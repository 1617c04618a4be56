/** A new user's first minutes: start, look at the page, stop, start again, and what a wrong setting says. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { collectComplaints, keepScreenshot, openBrowser, SCREENS } from "../harness/browser.ts";
import { findFreePort } from "../harness/free-port.ts";
import { type RunningServer, runServer, startServer } from "../harness/server.ts";
import { temporaryFolder } from "../harness/temporary-folder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("the status page", () => {
  let browser: Browser;
  let server: RunningServer;

  before(async () => {
    const dataFolder = await temporaryFolder({ after });
    [browser, server] = await Promise.all([openBrowser(), startServer({ dataFolder })]);
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
  });

  for (const [name, screen] of Object.entries(SCREENS)) {
    for (const colorScheme of ["light", "dark"] as const) {
      test(`on a ${name}, ${colorScheme}`, async () => {
        const page = await browser.newPage({ ...screen, colorScheme });
        const complaints = collectComplaints(page);
        await page.goto(`${server.url}/status`);
        await keepScreenshot(page, `status-${name}-${colorScheme}`);
        assert.equal(await page.title(), "SnapRace · Ready");
        assert.ok(await page.getByRole("heading", { name: "From sign-up to finish-line photo" }).isVisible());
        assert.ok(await page.getByRole("heading", { name: "Ready", exact: true }).isVisible());
        assert.ok(await page.getByText("All engines can work.").isVisible());
        const sideways = await page.evaluate("document.documentElement.scrollWidth > innerWidth");
        assert.equal(sideways, false, "the page scrolls sideways");
        assert.deepEqual(complaints, []);
        await page.close();
      });
    }
  }

  test("its links lead somewhere", async () => {
    const page = await browser.newPage();
    for (const path of ["/healthz", "/readyz", "/metrics"]) {
      await page.goto(`${server.url}/status`);
      const [answer] = await Promise.all([
        page.waitForResponse(server.url + path),
        page.locator(`a[href="${path}"]`).click(),
      ]);
      assert.equal(answer.status(), 200);
    }
    await page.close();
  });
});

test("Ctrl-C stops it cleanly, and it starts again on the same folder", async (t) => {
  const dataFolder = await temporaryFolder(t);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    const server = await startServer({ dataFolder });
    assert.equal((await fetch(`${server.url}/readyz`)).status, 200);
    const ending = await server.stop(signal);
    assert.equal(ending.exitCode, 0, ending.stderr);
    assert.equal(ending.stdout, `SnapRace is ready at ${server.url}\n`);
  }
});

test("a second Ctrl-C does not wait for a client that never finishes", async (t) => {
  const server = await startServer({ dataFolder: await temporaryFolder(t) });
  const client = connect(Number(new URL(server.url).port), "127.0.0.1");
  t.after(() => void client.destroy());
  client.on("error", () => {});
  client.write("GET / HTTP/1.1\r\nHost: ");
  await sleep(200);
  const first = server.stop();
  const waited = await Promise.race([first, sleep(1000, "still waiting")]);
  assert.equal(waited, "still waiting");
  const ending = await server.stop();
  assert.equal(ending.exitCode, 130);
});

test("npm start prints the address, and Ctrl-C in its terminal ends it well", async (t) => {
  const port = String(await findFreePort());
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: port, SNAPRACE_DATA: await temporaryFolder(t) };
  // Its own process group, because a terminal sends Ctrl-C to npm and to the server alike.
  const npm = spawn("npm", ["start"], { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "inherit"] });
  const group = -(npm.pid ?? Number.NaN);
  t.after(() => void (npm.exitCode === null && process.kill(group, "SIGKILL")));
  let printed = "";
  for await (const chunk of npm.stdout) {
    const wasReady = printed.includes("SnapRace is ready");
    printed += chunk;
    if (!wasReady && printed.includes("SnapRace is ready")) process.kill(group, "SIGINT");
  }
  const [exitCode] = npm.exitCode === null ? await once(npm, "exit") : [npm.exitCode];
  assert.match(printed, new RegExp(`^SnapRace is ready at http://127\\.0\\.0\\.1:${port}$`, "m"));
  assert.equal(exitCode, 0);
});

test("a port that is no number is refused", async () => {
  const ending = await runServer({ PORT: "abc" });
  assert.deepEqual(ending, {
    exitCode: 78,
    signal: null,
    stdout: "",
    stderr: 'config.invalid: PORT must be a whole number from 1 to 65535, not "abc".\n',
  });
});

test("a port in use is refused", async (t) => {
  const port = await findFreePort();
  const other = createServer().listen(port, "127.0.0.1");
  await once(other, "listening");
  t.after(() => void other.close());
  const ending = await runServer({ PORT: String(port), SNAPRACE_DATA: await temporaryFolder(t) });
  assert.deepEqual(ending, {
    exitCode: 78,
    signal: null,
    stdout: "",
    stderr: `server.port-in-use: Port ${port} of 127.0.0.1 is in use: stop what uses it or set PORT to another.\n`,
  });
});

test("on AWS without a secret it does not start", async () => {
  const ending = await runServer({ SNAPRACE_ENGINES: "aws", AWS_REGION: "us-east-1" });
  assert.equal(ending.exitCode, 78);
  assert.match(ending.stderr, /^config\.missing: On AWS SNAPRACE_SECRET must be set: [^\n]+\n$/);
});

test("on AWS without a region it does not start", async (t) => {
  const HOME = await temporaryFolder(t);
  const SNAPRACE_SECRET = "0".repeat(64);
  const PORT = String(await findFreePort());
  const ending = await runServer({ SNAPRACE_ENGINES: "aws", SNAPRACE_SECRET, HOME, PORT });
  assert.equal(ending.exitCode, 78);
  assert.match(ending.stderr, /^config\.no-region: AWS_REGION is not set: [^\n]+\n$/);
});
