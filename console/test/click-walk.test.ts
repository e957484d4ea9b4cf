/**
 * The files of the console that a click passes, from the pressed button to its request: those of which a function runs.
 * A newcomer reads them to follow a click, so they stay few.
 */
import assert from 'node:assert/strict';
import { SourceMap } from 'node:module';
import { test } from 'node:test';
import type { CDPSession, Locator, Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { importAll } from '../../server/test/support/import.ts';
import { sarif } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { startConsole } from './support/console.ts';

const toRequest = [
  'pages/vulnerabilities/use-acts.ts',
  'pages/vulnerabilities/targets.ts',
  'api/triage.ts',
  'api/http.ts',
];
/** `main.tsx` gives a request the token of the session. */
const walks = {
  decision: [
    'components/dialog-form.tsx',
    'pages/vulnerabilities/triage-dialog.tsx',
    'components/end-date.tsx',
    ...toRequest,
    'main.tsx',
  ],
  assignment: ['pages/vulnerabilities/assign-dialog.tsx', ...toRequest, 'main.tsx'],
};
const mostFiles = 8;

const root = new URL('../', import.meta.url);
const { server, url, open } = await startConsole();
const { people } = await createTestWorkspace(server, 'acme');
await importAll(server, 'acme', [reportInput(sarif([{ rule: 'sql', path: 'src/a.ts', line: 3 }]))]);

// A minified file has the functions of others in its own, and the server's has no source map.
const { output } = (await build({
  root: root.pathname,
  logLevel: 'error',
  build: { write: false, minify: false, sourcemap: 'hidden', license: false },
})) as Rolldown.RolldownOutput;
const built = new Map(output.map((file) => [file.fileName, file]));

/** Opens the list of vulnerabilities in the console that was built here, with the only row selected. */
async function openList(): Promise<Page> {
  const page = await open({ userId: people.admin.user.id });
  await page.route(
    ({ pathname }) => /^\/(?:w|assets)\//.test(pathname),
    async (route) => {
      const path = new URL(route.request().url()).pathname.slice(1);
      const file = built.get(path) ?? built.get('index.html');
      const body = file?.type === 'chunk' ? file.code : Buffer.from(file?.source ?? '');
      await route.fulfill({ body, contentType: typeOf(path) });
    },
  );
  await page.goto(`${url}/w/acme/vulnerabilities`, { waitUntil: 'networkidle' });
  await page.getByRole('checkbox', { name: /sql/ }).click();
  return page;
}

const typeOf = (path: string): string =>
  path.endsWith('.js') ? 'text/javascript' : path.endsWith('.css') ? 'text/css' : 'text/html';

/** Clicks, and gives the files of which a function has run when the request to this path is about to be sent. */
async function filesOfClick(page: Page, target: Locator, path: string): Promise<Set<string>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Debugger.enable');
  await session.send('DOMDebugger.setXHRBreakpoint', { url: path });
  await session.send('Profiler.enable');
  const atRequest = new Promise<Set<string>>((resolve, reject) =>
    session.once('Debugger.paused', () => {
      const files = takeFiles(session);
      files.then(() => session.send('Debugger.resume')).catch(reject);
      files.then(resolve, reject);
    }),
  );
  await target.waitFor();
  await session.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // A mouse would move first, and other parts of the page could run meanwhile.
  await target.dispatchEvent('click');
  return atRequest;
}

async function takeFiles(session: CDPSession): Promise<Set<string>> {
  const { result } = await session.send('Profiler.takePreciseCoverage');
  const files = new Set<string>();
  for (const { url: address, functions } of result) {
    const chunk = built.get(address.slice(url.length + 1));
    if (chunk?.type !== 'chunk' || chunk.map === null) continue;
    const map = new SourceMap({ ...chunk.map, sourceRoot: '' });
    for (const { ranges } of functions) {
      const [range] = ranges;
      if (range === undefined || range.count === 0) continue;
      const lines = chunk.code.slice(0, range.startOffset).split('\n');
      const entry = map.findEntry(lines.length - 1, lines.at(-1)?.length ?? 0);
      if (!('originalSource' in entry)) continue;
      const { href } = new URL(entry.originalSource, new URL('dist/assets/', root));
      const source = new URL('src/', root).href;
      if (href.startsWith(source)) files.add(href.slice(source.length));
    }
  }
  return files;
}

function assertWalk(passed: Set<string>, walk: string[]): void {
  assert.deepEqual([...passed].sort(), walk.toSorted());
  assert.ok(walk.length <= mostFiles, `${walk.length} files`);
}

test('an assignment of a vulnerability passes these files, at most eight', async () => {
  const page = await openList();
  const loaded = page.waitForResponse('**/members');
  await page.getByRole('button', { name: 'Assign', exact: true }).click();
  // The dialog loads the members again, and then all that shows names is drawn again.
  await (await loaded).finished();
  for (const _ of [1, 2, 3]) await page.evaluate('new Promise((done) => requestIdleCallback(done))');
  const option = page.getByRole('option', { name: 'Me', exact: true });
  const passed = await filesOfClick(page, option, '/vulnerabilities/assign');
  assertWalk(passed, walks.assignment);
});

test('a decision about a vulnerability passes these files, at most eight', async () => {
  const page = await openList();
  await page.getByRole('button', { name: 'Triage' }).click();
  await page.getByRole('menuitem', { name: 'Accept risk' }).click();
  const dialog = page.getByRole('dialog', { name: 'Triage' });
  await dialog.getByLabel('Reason').fill('Only the build uses it.');
  const button = dialog.getByRole('button', { name: 'Accept risk' });
  const passed = await filesOfClick(page, button, '/vulnerabilities/decisions');
  assertWalk(passed, walks.decision);
  await page.getByText('1 vulnerability accepted.').waitFor();
});
