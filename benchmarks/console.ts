/**
 * `node benchmarks/console.ts [--data-dir DIR] [--workspace SLUG]`: how long each page of the console takes until its
 * content is there, in Chromium, in a workspace that `overview.ts` or `seed.ts` has made. *Cold* is the address typed
 * into a browser that has nothing cached, sign-in aside; *click* the page reached from another by the navigation.
 * Writes `results/console.json`.
 */
import { ensureChromium, launchChromium, type Page } from '../console/test/support/chromium.ts';
import { printTable, say } from '../server/src/commands/session.ts';
import { installTx } from '../server/src/db/database.ts';
import { openConfigured } from '../server/src/db/open.ts';
import { setPassword } from '../server/src/features/users/service.ts';
import { findUserByEmail } from '../server/src/features/users/store.ts';
import { latencyOf } from './http-client.ts';
import { startServer } from './measure.ts';
import { benchConfig, readOptions } from './options.ts';
import { writeResult } from './results.ts';
import { emailOf } from './workspace.ts';

// Enough for a median that does not jump; a page is a second of a browser's work at worst.
const runs = 7;

interface BenchPage {
  name: string;
  path: string;
  /** What the page is there for: waits for it. */
  content: (page: Page) => Promise<void>;
  /** Its link in the navigation, where there is one. */
  link?: string;
}

const rows = async (page: Page): Promise<void> => {
  await page.locator('tbody tr').first().waitFor();
};
const pages: BenchPage[] = [
  {
    name: 'overview',
    path: '',
    link: 'Overview',
    content: async (page) => {
      await page.getByRole('link', { name: /^Open vulnerabilities/ }).waitFor();
      await page.getByRole('img').last().waitFor();
    },
  },
  { name: 'vulnerabilities', path: '/vulnerabilities', link: 'Vulnerabilities', content: rows },
  { name: 'vulnerabilities, words', path: '/vulnerabilities?state=open&q=openssl', content: rows },
  {
    name: 'vulnerabilities, critical on HEAD',
    path: '/vulnerabilities?severity=critical&ref=HEAD',
    content: rows,
  },
  { name: 'violations', path: '/violations', link: 'Violations', content: rows },
  { name: 'repositories', path: '/repositories', link: 'Repositories', content: rows },
  { name: 'scans', path: '/scans', link: 'Scans', content: rows },
  { name: 'policies', path: '/policies', link: 'Policies', content: rows },
  { name: 'members', path: '/members', link: 'Members', content: rows },
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
    for (const each of pages) figures.push(await measure(each, server.url));
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

  async function measure({ name, path, content, link }: BenchPage, url: string) {
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
      cold.push(
        await timed(
          () => page.goto(`${url}/w/${workspace}${path}`),
          () => content(page),
        ),
      );
      if (link !== undefined) {
        await page.goto(`${url}/w/${workspace}/${name === 'scans' ? 'policies' : 'scans'}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        const to = page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: link });
        click.push(
          await timed(
            () => to.click(),
            () => content(page),
          ),
        );
      }
      await context.close();
    }
    return { name, cold: latencyOf(cold), click: click.length > 0 ? latencyOf(click) : null };
  }
} finally {
  await open.close();
}

async function timed(begin: () => Promise<unknown>, end: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await Promise.all([begin(), end()]);
  return performance.now() - before;
}
