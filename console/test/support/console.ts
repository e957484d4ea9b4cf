/**
 * The console as people use it: the real server on loopback with its own database, the built files, and Chromium. Each
 * person has their own browser context. Every page that a test opens is watched: a request to another host, or a script
 * that fails or that the Content-Security-Policy refuses, fails the test.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach } from 'node:test';
import axe, { type AxeResults } from 'axe-core';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { UserId } from '../../../server/src/domain/ids.ts';
import { byForm } from '../../../server/test/support/form.ts';
import { createTestServer, type TestServer } from '../../../server/test/support/server.ts';
import { signInAs } from '../../../server/test/support/session.ts';
import { sharedChromium } from './chromium.ts';

/** A window and the colours in it. */
export interface Look {
  width: number;
  colorScheme: 'light' | 'dark';
}

export interface Console {
  server: TestServer;
  url: string;
  /**
   * Opens a page in the browser of the user, or in a new one of nobody, at the path if there is one. It is closed when
   * the test is done.
   */
  open(options?: { userId?: UserId; path?: string } & Partial<Look>): Promise<Page>;
}

/** The time zone of the browser. It is not that of the server. */
const browserTimeZone = 'Europe/Berlin';
const patienceMs = 30_000;
const desktop = { width: 1280, height: 900 };
const phone = { width: 390, height: 844 };

const darkPhone: Look = { width: phone.width, colorScheme: 'dark' };
const usual: Look[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: phone.width, colorScheme: 'light' },
];

/** The looks in which pages must fit and be accessible. The short form has the one in which a page fits least. */
export const looks: Look[] = byForm({ short: [darkPhone], ci: usual, full: [...usual, darkPhone] });

/** Starts a console with its own server. It is closed when the file's tests are done. */
export async function startConsole(settings: Record<string, string> = {}): Promise<Console> {
  return consoleOf(await createTestServer(settings));
}

/** `port` is for a server whose settings name its address. */
export async function consoleOf(server: TestServer, port = 0): Promise<Console> {
  const url = await server.app.listen({ port, host: '127.0.0.1' });
  const browser = await sharedChromium();
  const complaints: string[] = [];
  const newContext = (): Promise<BrowserContext> =>
    browser.newContext({
      viewport: desktop,
      reducedMotion: 'reduce',
      locale: 'en-GB',
      timezoneId: browserTimeZone,
    });
  const shared = await newContext();
  // The page keeps the rendering process, and with it the compiled console, from one test to the next.
  const anchor = await shared.newPage();
  await anchor.goto(`${url}/favicon.svg`);
  // Pages of the same user are tabs of one browser, which compiles the console once.
  const contexts = new Map<string | symbol, BrowserContext>();
  // An open page would continue to send requests and to render during the next tests.
  const leave = async (): Promise<void> => {
    for (const page of shared.pages()) if (page !== anchor) await page.close();
    for (const context of contexts.values()) if (context !== shared) await context.close();
    contexts.clear();
    await shared.clearCookies();
    await shared.clearPermissions();
    await anchor.evaluate('localStorage.clear()');
  };
  afterEach(leave);
  // The pages close before the server, because an open page would send requests to a closed server.
  server.beforeClose(async () => {
    await leave();
    await shared.close();
  });
  after(() => assert.deepEqual(complaints, []));
  return {
    server,
    url,
    open: async ({ userId, path, width = desktop.width, colorScheme = 'light' } = {}) => {
      const person = userId ?? Symbol('nobody');
      let context = contexts.get(person);
      if (context === undefined) {
        context = contexts.size === 0 ? shared : await newContext();
        contexts.set(person, context);
        if (userId !== undefined) await addSession(context, server, url, userId);
      }
      const page = await context.newPage();
      await setLook(page, { width, colorScheme });
      // A page takes a second. On a busy machine a test must not fail because of that.
      page.setDefaultTimeout(patienceMs);
      watch(page, url, complaints);
      if (path !== undefined) await page.goto(url + path);
      return page;
    },
  };
}

/** Changes the look of an open page, which takes much less time than to load it again. */
export async function setLook(page: Page, { width, colorScheme }: Look): Promise<void> {
  await page.setViewportSize({ ...(width < 600 ? phone : desktop), width });
  await page.emulateMedia({ colorScheme });
}

async function addSession(
  context: BrowserContext,
  server: TestServer,
  url: string,
  userId: UserId,
): Promise<void> {
  const { headers } = await signInAs(server, userId);
  const [name = '', ...value] = (headers.cookie ?? '').split('=');
  await context.addCookies([{ name, value: value.join('='), url, httpOnly: true, sameSite: 'Lax' }]);
}

function watch(page: Page, url: string, complaints: string[]): void {
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`${url}/`) && !address.startsWith('data:') && !address.startsWith('blob:')) {
      complaints.push(`request to ${address}`);
    }
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    // The browser logs a refusal as an error, even if the page is meant to show it.
    if (message.type() === 'error' && !/the server responded with a status of/.test(message.text())) {
      complaints.push(`${page.url()}: ${message.text()}`);
    }
  });
}

// During a change of colours the contrasts are temporary.
const attempts = 3;
const pauseMs = 300;

/** Checks that axe finds nothing serious or critical, after all animations have ended. */
async function assertAccessible(page: Page): Promise<void> {
  // The script has half a megabyte, so a page loads it once.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  let serious = await seriousViolations(page);
  for (let attempt = 1; attempt < attempts && serious.length > 0; attempt++) {
    await page.waitForTimeout(pauseMs);
    serious = await seriousViolations(page);
  }
  assert.deepEqual(
    serious.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map((node) => `${node.target.join(' ')}: ${node.html.slice(0, 200)}`),
    })),
    [],
    `${page.url()} as ${await lookOf(page)}`,
  );
}

/** Checks that axe finds nothing serious and that the page is not wider than its window, and saves a picture of it. */
export async function assertFitsAndIsAccessible(page: Page, name: string): Promise<void> {
  await assertAccessible(page);
  await screenshot(page, name);
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  assert.ok(overflow <= 0, `${name} as ${await lookOf(page)} is ${overflow} px too wide`);
}

/** The pixels of the element that are hidden until somebody scrolls it sideways. */
export function overflowOf(element: Locator): Promise<number> {
  return element.evaluate<number, { scrollWidth: number; clientWidth: number }>(
    (one) => one.scrollWidth - one.clientWidth,
  );
}

/** Fails if the table is wider than its place, which may be in a section of the same name. */
export async function assertTableFits(page: Page, label: string): Promise<void> {
  const overflow = await overflowOf(page.getByRole('region', { name: label, exact: true }).last());
  assert.ok(overflow <= 0, `${label} as ${await lookOf(page)} is ${overflow} px too wide`);
}

/** Does the same in each of the looks. The page keeps the last one. */
export async function assertFitsInEachLook(page: Page, name: string): Promise<void> {
  for (const look of looks) {
    await setLook(page, look);
    await assertFitsAndIsAccessible(page, name);
  }
}

/** Saves a picture into TEST_SCREENSHOTS, if it is set, for people. Its name ends with the look. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const directory = process.env.TEST_SCREENSHOTS;
  if (!directory) return;
  if (!existsSync(directory)) mkdirSync(directory, { recursive: true });
  const path = join(directory, `${name}-${await lookOf(page)}.png`);
  await page.screenshot({ path, fullPage: true });
}

/** The width and the colours of the page, such as `390-dark`. */
function lookOf(page: Page): Promise<string> {
  return page.evaluate<string>(
    "innerWidth + (matchMedia('(prefers-color-scheme: dark)').matches ? '-dark' : '-light')",
  );
}

async function seriousViolations(page: Page): Promise<AxeResults['violations']> {
  const { violations } = await page.evaluate<AxeResults>("axe.run({ resultTypes: ['violations'] })");
  return violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}
