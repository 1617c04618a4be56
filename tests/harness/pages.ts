/** The pages in a real browser over a real server: people who sign in, races to look at, and what every page must keep. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { createAccessTokens, type TokenHolder } from "../../src/platform/access-tokens.ts";
import { readSecret } from "../../src/platform/embedded/data-folder.ts";
import { collectComplaints, keepScreenshot, openBrowser, SCREENS } from "./browser.ts";
import { type RunningServer, startServer } from "./server.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const NOBODY: TokenHolder = {
  userId: "somebody",
  operator: false,
  organizations: [],
  photographers: [],
  session: false,
  tokenId: "t_pages",
};

export type Screen = keyof typeof SCREENS;

/** Calls below /api; what it refuses is an error here. */
// biome-ignore lint/suspicious/noExplicitAny: an answer has whatever form the test expects of it.
export type Api = (method: string, path: string, send?: unknown) => Promise<any>;

export type Visit = {
  page: Page;
  context: BrowserContext;
  /** What the browser complained about on the way: refused resources, errors of scripts. */
  complaints: string[];
};

export type PagesScene = {
  server: RunningServer;
  browser: Browser;
  dataFolder: string;
  as(holder: Partial<TokenHolder>): Api;
  token(holder: Partial<TokenHolder>): string;
  /** A browser of one's own, signed in if an address is given. */
  visit(options?: { email?: string; screen?: Screen; language?: "en" | "ko"; dark?: boolean }): Promise<Visit>;
  makeOrganization(settings?: object): Promise<{ orgId: string; organizer: Api }>;
  /** A published event of an organization. */
  makeEvent(organizer: Api, orgId: string, settings?: object): Promise<string>;
  close(): Promise<void>;
};

/** Call `close` in `after` of the test file. */
export async function openPages(settings: { [variable: string]: string } = {}): Promise<PagesScene> {
  const cleanups: (() => Promise<void>)[] = [];
  const dataFolder = await temporaryFolder({ after: (clean) => cleanups.push(clean) });
  const server = await startServer({ dataFolder, ...settings });
  const browser = await openBrowser();
  const tokens = createAccessTokens(readSecret(dataFolder), { now: Date.now, revokedBefore: () => 0 });
  const token = (holder: Partial<TokenHolder>) => tokens.issue({ ...NOBODY, ...holder }, 3_600_000);
  const as = (holder: Partial<TokenHolder>) => apiOf(server.url, token(holder));
  let count = 0;
  return {
    server,
    browser,
    dataFolder,
    as,
    token,
    visit: (options = {}) => visit(browser, server.url, options),
    makeOrganization: async (settings = {}) => {
      count += 1;
      const orgId = `org-${count}`;
      await as({ operator: true })("POST", "/admin/organizations", { orgId, name: `Runners ${count}`, ...settings });
      return { orgId, organizer: as({ userId: `organizer-${count}`, organizations: [orgId] }) };
    },
    makeEvent: async (organizer, orgId, settings = {}) => {
      count += 1;
      const event = { eventId: `race-${count}`, name: `Race ${count}`, date: "2099-05-02", timeZone: "Asia/Seoul" };
      const body = { ...event, location: "Seoul", published: true, ...settings };
      return (await organizer("POST", `/admin/organizations/${orgId}/events`, body)).eventId;
    },
    close: async () => {
      await browser.close();
      await server.stop();
      for (const clean of cleanups) await clean();
    },
  };
}

function apiOf(url: string, token: string): Api {
  return async (method, path, send) => {
    const isText = typeof send === "string";
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(send !== undefined && { "content-type": isText ? "text/csv" : "application/json" }),
      },
      body: send === undefined ? null : isText ? send : JSON.stringify(send),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return /json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(text) : text;
  };
}

type VisitOptions = NonNullable<Parameters<PagesScene["visit"]>[0]>;

async function visit(browser: Browser, url: string, options: VisitOptions): Promise<Visit> {
  const { email, screen = "desktop", language = "en", dark = false } = options;
  const context = await browser.newContext({
    ...SCREENS[screen],
    baseURL: url,
    locale: language === "ko" ? "ko-KR" : "en-US",
    timezoneId: "Europe/Berlin",
    colorScheme: dark ? "dark" : "light",
  } satisfies BrowserContextOptions);
  if (email) await signIn(context, email);
  const page = await context.newPage();
  return { page, context, complaints: collectComplaints(page) };
}

/** Asks for a code, and reads it in the inbox of this machine. */
async function signIn(context: BrowserContext, email: string): Promise<void> {
  const headers = { origin: await originOf(context) };
  const asked = await context.request.post("/api/auth/codes", { data: { email }, headers });
  assert.equal(asked.status(), 202, await asked.text());
  const code = await codeInInbox(context, email);
  const answer = await context.request.post("/api/auth/sessions", { data: { email, code }, headers });
  assert.equal(answer.status(), 204, await answer.text());
}

/** The newest code that was sent to the address. */
export async function codeInInbox(context: BrowserContext, email: string): Promise<string> {
  const text = await (await context.request.get("/inbox")).text();
  const letter = text.slice(text.indexOf(email));
  const code = text.includes(email) && /\b\d{6}\b/.exec(letter.replace(/<[^>]+>/g, " "))?.[0];
  assert.ok(code, `there is no code for ${email} in the inbox`);
  return code;
}

async function originOf(context: BrowserContext): Promise<string> {
  return new URL((await context.request.get("/healthz")).url()).origin;
}

/** Nothing serious for people who see, hear or point differently; looked at as the page is now. */
async function checkAccess(page: Page): Promise<void> {
  // Content is looked at after it has come to rest, and nothing sets out while axe looks (a toast would fade):
  // a colour half way is nobody's.
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.evaluate(() => {
    // What turns as long as something is under way never does.
    const ending = document
      .getAnimations()
      .filter((each: Animation) => each.effect.getComputedTiming().endTime < Infinity);
    return Promise.all(ending.map((each: Animation) => each.finished.catch(() => {}))).then(() => {});
  });
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Page.setBypassCSP", { enabled: true });
  await page.evaluate(axeSource);
  const violations = (await page.evaluate("axe.run().then((found) => found.violations)")) as Violation[];
  await cdp.detach();
  await page.emulateMedia({ reducedMotion: null });
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  assert.deepEqual(
    serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`),
    [],
  );
}

type Violation = { id: string; impact: string; nodes: { html: string }[] };

/** What holds for every page: no complaint, no sideways scrolling, nothing serious for axe; and a picture to look at. */
export async function checkPage({ page, complaints }: Visit, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => {}));
  await keepScreenshot(page, name);
  // Phones zoom out rather than scroll, so that what the page reaches is held against the screen.
  const width = page.viewportSize()?.width ?? 0;
  const sideways = (await page.evaluate(() => document.documentElement.scrollWidth)) > width;
  assert.equal(sideways, false, "the page scrolls sideways");
  assert.deepEqual(complaints, []);
  await checkAccess(page);
}

/** The names of what Tab reaches, in order. */
export async function focusOrder(page: Page, steps: number): Promise<string[]> {
  const names: string[] = [];
  for (let step = 0; step < steps; step += 1) {
    await page.keyboard.press("Tab");
    names.push(
      await page.evaluate(() => {
        const element = document.activeElement as HTMLElement | null;
        const labels = (element as HTMLInputElement | null)?.labels;
        return (labels?.[0]?.textContent || element?.getAttribute("aria-label") || element?.textContent || "").trim();
      }),
    );
  }
  return names;
}
