/**
 * `node benchmarks/console.ts [--data-dir DIR] [--workspace SLUG]`: measures the time until each page of the console
 * shows its content, in Chromium, in a workspace of `overview.ts` or `seed.ts`. *Cold* opens the address with an empty
 * cache, after the sign-in; *click* follows a link of the navigation. Writes `results/console.json`.
 */
import { ensureChromium, launchChromium, type Page } from '../console/test/support/chromium.ts';
import { setPassword } from '../server/src/access/users/service.ts';
import { findUserByEmail } from '../server/src/access/users/store.ts';
import { printTable, say } from '../server/src/commands/output.ts';
import { installTx } from '../server/src/db/database.ts';
import { openConfigured } from '../server/src/open.ts';
import { latencyOf } from './http-client.ts';
import { benchConfig, readOptions } from './options.ts';
import { writeResult } from './results.ts';
import { startServer } from './serve.ts';
import { emailOf } from './workspace.ts';

// This number gives a stable median. A page takes about a second of processor time at most.
const runs = 11;

interface BenchPage {
  name: string;
  path: string;
  /** The text of the page's heading. It distinguishes this page from the one before, which may have rows too. */
  heading: string;
  /**
   * A selector of the page's content. The page is loaded when this exists and no placeholder remains.
   */
  content: string;
  /** True if placeholders may remain, because only the first content is measured. */
  allowsPlaceholders?: boolean;
  /** True if the navigation has a link to the page. */
  linked: boolean;
}

const listPage = (name: string, path: string, heading = name): BenchPage => ({
  name: name.toLowerCase(),
  path,
  heading,
  content: 'tbody tr',
  linked: true,
});
const pages: BenchPage[] = [
  {
    name: 'overview, numbers',
    path: '',
    heading: 'Overview',
    content: '.overview-stats',
    allowsPlaceholders: true,
    linked: true,
  },
  { name: 'overview', path: '', heading: 'Overview', content: '[role=img] svg path', linked: true },
  listPage('Vulnerabilities', '/vulnerabilities'),
  {
    name: 'vulnerabilities, search',
    path: '/vulnerabilities?state=open&q=openssl',
    heading: 'Vulnerabilities',
    content: 'tbody tr',
    linked: false,
  },
  {
    name: 'vulnerabilities, critical on HEAD',
    path: '/vulnerabilities?severity=critical&ref=HEAD',
    heading: 'Vulnerabilities',
    content: 'tbody tr',
    linked: false,
  },
  listPage('Violations', '/violations', 'Policy violations'),
  listPage('Repositories', '/repositories'),
  listPage('Scans', '/scans'),
  listPage('Policies', '/policies'),
  listPage('Members', '/members'),
];

const { dataDir, workspace, vulnerabilities } = readOptions();
const password = 'only of the benchmark';
const email = emailOf(workspace, 1);
const open = await openConfigured(benchConfig(dataDir), say);
try {
  await installTx(open.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user)
      throw new Error(`there is no workspace ${workspace}: create it with node benchmarks/overview.ts`);
    await setPassword(tx, user.id, password);
  });
  const server = await startServer(dataDir);
  const browser = await launchChromium(ensureChromium());
  try {
    const figures = [];
    for (const each of pages) {
      say(`${each.name} …`);
      figures.push(await measure(each, server.url));
    }
    printTable(
      ['PAGE', 'cold ms', 'p95', 'click ms', 'p95'],
      figures.map(({ name, cold, click }) =>
        [name, cold.p50Ms, cold.p95Ms, click?.p50Ms ?? '', click?.p95Ms ?? ''].map(String),
      ),
    );
    writeResult('console', { vulnerabilities, runs, pages: figures });
  } finally {
    await browser.close();
    await server.stop();
  }

  async function measure(each: BenchPage, url: string) {
    const { name, path, linked } = each;
    const cold: number[] = [];
    const click: number[] = [];
    for (let run = 0; run < runs; run++) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
      const page = await context.newPage();
      const signedIn = await context.request.post(`${url}/console/session`, {
        headers: { origin: url },
        data: { email, password },
      });
      if (!signedIn.ok()) throw new Error(`the sign-in failed with ${signedIn.status()}`);
      await page.goto(`${url}/w/${workspace}${path}`, { waitUntil: 'commit' });
      cold.push(await waitForContent(page, each));
      if (linked) {
        const from = pages.find((other) => other.name === (name === 'scans' ? 'policies' : 'scans'));
        if (!from) throw new Error('there is no page to start from');
        await page.goto(`${url}/w/${workspace}${from.path}`);
        await waitForContent(page, from);
        const clickedAt = Number(await page.evaluate(clickScript(`nav a[href="/w/${workspace}${path}"]`)));
        click.push((await waitForContent(page, each)) - clickedAt);
      }
      await context.close();
    }
    return { name, cold: latencyOf(cold), click: click.length > 0 ? latencyOf(click) : null };
  }
} finally {
  await open.close();
}

/** Waits for the first frame with the content. Returns its time, in milliseconds since the navigation started. */
async function waitForContent(
  page: Page,
  { heading, content, allowsPlaceholders = false }: BenchPage,
): Promise<number> {
  const isLoaded = [
    `document.querySelector('h1')?.textContent === ${JSON.stringify(heading)}`,
    `document.querySelector(${JSON.stringify(content)}) !== null`,
    allowsPlaceholders || `document.querySelector('.mantine-Skeleton-root') === null`,
  ].join(' && ');
  return Number(
    await page.evaluate(`new Promise((resolve) => {
      const check = () => (${isLoaded} ? resolve(performance.now()) : requestAnimationFrame(check));
      check();
    })`),
  );
}

/** Returns a script that clicks and returns the time. It runs in the page, so that no delay of the driver counts. */
function clickScript(selector: string): string {
  return `(() => {
    const now = performance.now();
    document.querySelector(${JSON.stringify(selector)}).click();
    return now;
  })()`;
}
