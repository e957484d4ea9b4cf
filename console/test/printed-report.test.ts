/** Tests of `merlond report`: a browser shows and prints the file without a server, with hostile names too. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { clientOf } from '../../server/test/support/client.ts';
import { importAll } from '../../server/test/support/import.ts';
import { markKevLoaded } from '../../server/test/support/kev.ts';
import { merlondHere } from '../../server/test/support/merlond-here.ts';
import { createDirectory } from '../../server/test/support/process.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { nodeSettings } from '../../server/test/support/serving.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { sharedChromium } from './support/chromium.ts';
import { assertFitsInEachLook, screenshot } from './support/console.ts';

const unseen = /[[\p{Cf}\p{Cc}]--[\n\t\r]]/v;
const dayMs = 24 * 3600_000;
const title = `</title><script>document.title='run'</script><img src=https://evil.example/x onerror=alert(1)> ##vso[x] ::error::y "'&amp;`;
const application = `<svg onload="document.title='run'"></svg><style>body{display:none}</style>`;
const found = (n: number, severity: string) => ({
  id: `CVE-2030-${1000 + n}`,
  name: `library-${n}`,
  version: '1.0.0',
  severity,
});
const report = (days: number, packages: ReturnType<typeof found>[], repository: string) =>
  reportInput(
    JSON.stringify(trivy(packages)).replace(
      'library-1: CVE-2030-1001',
      JSON.stringify(`${title}\u001b[31m\u202egnp`).slice(1, -1),
    ),
    { repository, scannedAt: new Date(Date.now() - days * dayMs) },
  );

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
await server.owner.query(
  `insert into kev (cve, added_on, vendor, product, name) values ('CVE-2030-1001', '2026-01-01', 'v', 'p', 'n')`,
);
const severe = (n: number) => found(n, ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'][n % 4] ?? 'LOW');
const many = (count: number) => Array.from({ length: count }, (_, i) => severe(i + 10));
await importAll(server, 'acme', [
  report(75, [found(1, 'CRITICAL'), ...many(30)], 'acme/shop'),
  report(40, [found(1, 'CRITICAL'), ...many(18)], 'acme/shop'),
  report(20, [found(1, 'CRITICAL'), ...many(24)], 'acme/shop'),
  report(3, [found(4, 'MEDIUM'), found(5, 'HIGH')], '<b>other</b>/api'),
]);
const admin = clientOf(server.app, people.admin.key);
const { body: shop } = await admin.get<{ items: { id: string }[] }>('/api/v1/acme/repositories');
const { body: made } = await admin.post<{ id: string }>('/manage/v1/acme/applications', {
  name: application,
});
const members = await admin.put(`/manage/v1/acme/applications/${made.id}/repositories`, {
  repositories: shop.items.map(({ id }) => id),
});
assert.equal(members.status, 200, members.text);
const settings = nodeSettings(server);
const directory = createDirectory();
const browser = await sharedChromium();

const run = (...args: string[]) => merlondHere(['report', '--workspace', 'acme', ...args], settings);

test('the file runs nothing, loads nothing, shows hostile names as text, and has the numbers of the API', async () => {
  const { body } = await admin.get<{
    open: { total: number };
    weeks: { from: string; to: string; new: number; fixed: number; open: number }[];
  }>('/api/v1/acme/status-report');
  for (const [name, options] of [
    ['workspace', ['--by', 'application']],
    ['organization', ['--organization', '<b>other</b>']],
    ['application', ['--application', application]],
  ] as const) {
    const file = join(directory, `${name}.html`);
    const { code, stderr, stdout } = await run(...options, '--out', file);
    assert.deepEqual([code, stdout], [0, ''], stderr);
    assert.match(readFileSync(file, 'utf8'), /Content-Security-Policy" content="default-src &#39;none&#39;;/);
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'dark' });
    const seen: string[] = [];
    page.on('request', (request) => seen.push(request.url()));
    page.on('console', (message) => seen.push(message.text()));
    page.on('dialog', (dialog) => seen.push(dialog.message()));
    const address = pathToFileURL(file).href;
    await page.goto(address);
    assert.deepEqual(seen, [address]);
    assert.match(await page.title(), /^Security report: /);
    const foreign = await page.evaluate<number>(
      "document.querySelectorAll('script, img, b, link, iframe, [style], [onload], [onerror], a').length",
    );
    assert.equal(foreign, 0);
    const text = await page.locator('main').innerText();
    assert.doesNotMatch(text, unseen);
    assert.equal(
      await page.evaluate('getComputedStyle(document.body).backgroundColor'),
      'rgb(255, 255, 255)',
    );
    if (name === 'workspace') {
      assert.match(text, new RegExp(`Open vulnerabilities\\s+${body.open.total}\\b`));
      assert.ok(text.includes(application) && text.includes(title), text);
      const rows = await page.locator('section').first().getByRole('row').allInnerTexts();
      assert.deepEqual(
        rows.slice(1).map((row) => row.trim().split(/\s+/)),
        body.weeks.map((week) => [week.from, 'to', week.to, `${week.new}`, `${week.fixed}`, `${week.open}`]),
      );
    }
    await assertFitsInEachLook(page, `printed-report-${name}`);
    await page.emulateMedia({ media: 'print' });
    await page.setViewportSize({ width: 690, height: 1000 });
    await screenshot(page, `printed-report-${name}-print`);
    const pdf = await page.pdf({ preferCSSPageSize: true });
    assert.ok(pdf.length > 10_000);
    if (process.env.TEST_SCREENSHOTS) writeFileSync(join(process.env.TEST_SCREENSHOTS, `${name}.pdf`), pdf);
    await page.close();
  }
});

test('a style or a script that gets into the file is refused by its policy', async (t) => {
  const { stdout } = await run();
  const file = join(directory, 'injected.html');
  writeFileSync(
    file,
    stdout.replace('</main>', `<script>document.title='run'</script><style>h1{display:none}</style></main>`),
  );
  const page = await browser.newPage();
  t.after(() => page.close());
  await page.goto(pathToFileURL(file).href);
  assert.equal(await page.title(), 'Security report: Workspace acme');
  assert.ok(await page.getByRole('heading', { level: 1 }).isVisible());
});

test('the output as HTML and as JSON contains no command of a terminal or a CI runner', async () => {
  const page = await run();
  assert.match(page.stdout, /^<!doctype html>/);
  const json = await run('--json', '--organization', 'acme');
  const { body } = await admin.get<Record<string, unknown>>('/api/v1/acme/status-report?organization=acme');
  const { at: _, ...numbers } = JSON.parse(json.stdout);
  const { at: __, ...expected } = body;
  assert.deepEqual(numbers, expected);
  for (const { stdout } of [page, json]) {
    assert.doesNotMatch(stdout, /##|::/);
    assert.doesNotMatch(stdout, unseen);
  }
});

test('without the catalogue of exploited vulnerabilities, the number of exploitable ones says so', async () => {
  const note = /the KEV catalogue is not loaded/;
  const only = ['--organization', '<b>other</b>'];
  const without = await run(...only);
  assert.match(without.stdout, note);
  assert.match(without.stdout, /The KEV catalogue is not loaded, and nothing that is open is verified/);
  await markKevLoaded(server);
  const loaded = await run(...only);
  assert.doesNotMatch(loaded.stdout, note);
  assert.match(loaded.stdout, /Nothing that is open is known to be exploitable\./);
});

test('a workspace without scans has a report; unknown names and wrong options are refused', async () => {
  await merlondHere(['workspace', 'create', 'empty', '--name', 'Empty'], settings);
  const empty = await merlondHere(['report', '--workspace', 'empty'], settings);
  assert.equal(empty.code, 0, empty.stderr);
  assert.match(empty.stdout, /Nothing has been scanned yet/);
  const out = join(directory, 'none.html');
  for (const [code, message, ...args] of [
    [3, /There is no organization none\./, '--organization', 'none'],
    [3, /There is no organization \./, '--organization', ''],
    [2, /not both/, '--organization', 'acme', '--application', 'x'],
    [2, /argument 'team' is invalid\. Allowed choices are organization, application\./, '--by', 'team'],
  ] as const) {
    const refused = await run(...args, '--out', out);
    assert.equal(refused.code, code, refused.stderr);
    assert.match(refused.stderr, message);
    assert.throws(() => readFileSync(out));
  }
  const lost = await run('--out', join(directory, 'none', 'report.html'));
  assert.equal(lost.code, 3, lost.stderr);
});
