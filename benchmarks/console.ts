/**
 * `node benchmarks/console.ts [--data-dir DIR] [--workspace SLUG]`: how long each page of the console takes until its
 * content is there, in Chromium, in a workspace that `overview.ts` or `seed.ts` has made. *Cold* is the address typed
 * into a browser that has nothing cached, sign-in aside; *click* the page reached from another by the navigation.
 * Writes `results/console.json`.
 */
import { ensureChromium, launchChromium, type Page } from '../console/test/support/chromium.ts';
import { setPassword } from '../server/src/access/users/service.ts';
import { findUserByEmail } from '../server/src/access/users/store.ts';
import { printTable, say } from '../server/src/commands/session.ts';
import { installTx } from '../server/src/db/database.ts';
import { openConfigured } from '../server/src/open.ts';
import { latencyOf } from './http-client.ts';
import { benchConfig, readOptions } from './options.ts';
import { writeResult } from './results.ts';
import { startServer } from './serve.ts';
import { emailOf } from './workspace.ts';

// This number gives a stable median; a page is a second of a browser's work at worst.
const runs = 11;

interface BenchPage {
  name: string;
  path: string;
  /** The text of the page's heading. It tells this page from the one before, which may have rows too. */
  heading: string;
  /**
   * A selector of the page's content. It counts once the page shows no placeholder, unless the page is partly loaded.
   */
  content: string;
  /** True if placeholders may remain, because the other content comes later. */
  partly?: boolean;
  /** True if the navigation has a link to the page. */
  linked: boolean;
}

const listed = (name: string, path: string, heading = name): BenchPage => ({
  name: name.toLowerCase(),
  path,
  heading,
  content: 'tbody tr',
  linked: true,
});
const pages: BenchPage[] = [
  {
    name: 'overview, its numbers',
    path: '',
    heading: 'Overview',
    content: '.overview-stats',
    partly: true,
    linked: true,
  },
  { name: 'overview', path: '', heading: 'Overview', content: '[role=img] svg path', linked: true },
  listed('Vulnerabilities', '/vulnerabilities'),
  {
    name: 'vulnerabilities, words',
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
  listed('Violations', '/violations', 'Policy violations'),
  listed('Repositories', '/repositories'),
  listed('Scans', '/scans'),
  listed('Policies', '/policies'),
  listed('Members', '/members'),
];

const { dataDir, workspace, vulnerabilities } = readOptions();
const password = 'only of the benchmark';
const email = emailOf(workspace, 1);
const open = await openConfigured(benchConfig(dataDir), say);
try {
  await installTx(open.db, async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (!user) throw new Error(`there is no workspace ${workspace}: node benchmarks/overview.ts makes it`);
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
      if (!signedIn.ok()) throw new Error(`not signed in: ${signedIn.status()}`);
      await page.goto(`${url}/w/${workspace}${path}`, { waitUntil: 'commit' });
      cold.push(await shownAt(page, each));
      if (linked) {
        const from = pages.find((other) => other.name === (name === 'scans' ? 'policies' : 'scans'));
        if (!from) throw new Error('there is no page to come from');
        await page.goto(`${url}/w/${workspace}${from.path}`);
        await shownAt(page, from);
        const clickedAt = Number(await page.evaluate(clickOn(`nav a[href="/w/${workspace}${path}"]`)));
        click.push((await shownAt(page, each)) - clickedAt);
      }
      await context.close();
    }
    return { name, cold: latencyOf(cold), click: click.length > 0 ? latencyOf(click) : null };
  }
} finally {
  await open.close();
}

/** The page's own clock, milliseconds since its address was typed, at the first frame that shows what it is for. */
async function shownAt(page: Page, { heading, content, partly = false }: BenchPage): Promise<number> {
  const there = [
    `document.querySelector('h1')?.textContent === ${JSON.stringify(heading)}`,
    `document.querySelector(${JSON.stringify(content)}) !== null`,
    partly || `document.querySelector('.mantine-Skeleton-root') === null`,
  ].join(' && ');
  return Number(
    await page.evaluate(`new Promise((resolve) => {
      const look = () => (${there} ? resolve(performance.now()) : requestAnimationFrame(look));
      look();
    })`),
  );
}

/** A click with nothing of the driver's between it and the time that it gives. */
function clickOn(selector: string): string {
  return `(() => {
    const now = performance.now();
    document.querySelector(${JSON.stringify(selector)}).click();
    return now;
  })()`;
}
