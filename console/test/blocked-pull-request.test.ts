/** Tests of a blocked pull request, from the message in CI to an approved exception, click by click. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { blockCritical } from '../../cli/test/support/policies.ts';
import { runMerlon } from '../../cli/test/support/run-merlon.ts';
import { presets } from '../../server/src/access/api-keys/scope-labels.ts';
import { setPassword } from '../../server/src/access/users/service.ts';
import { installTx } from '../../server/src/db/database.ts';
import { startWorker } from '../../server/src/worker.ts';
import { applyAndEvaluate } from '../../server/test/support/policies.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { type PackageRow, trivyReport } from '../../server/test/support/tool-reports.ts';
import { createTestKey, createTestWorkspace } from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, looks, setLook, startConsole } from './support/console.ts';
import { nasty } from './support/policy-workspace.ts';

const silent = { info: () => {}, warn: () => {}, error: () => {} };
const { server, url, open } = await startConsole({ MERLON_UPLOADS_PER_MINUTE: '0' });
const worker = await startWorker(server, silent);
server.beforeClose(() => worker.stop());
const { tenant, people } = await createTestWorkspace(server, 'acme');
await applyAndEvaluate(server, tenant.id, blockCritical);
const password = 'correct horse battery';
const scopes = presets.find(({ name }) => name === 'CI')?.scopes ?? [];
const ci = await createTestKey(server, { userId: people.member.user.id, role: 'member', scopes });
for (const { user } of [people.member, people.admin]) {
  await installTx(server.db, (tx) => setPassword(tx, user.id, password));
}

const directory = mkdtempSync(join(tmpdir(), 'merlon-blocked-'));
after(() => rmSync(directory, { recursive: true, force: true }));

async function merlon(code: number, ...args: string[]): Promise<string> {
  const env = { MERLON_URL: url, MERLON_TOKEN: ci.key, MERLON_WORKSPACE: 'acme' };
  const run = await runMerlon(args, { cwd: directory, env });
  assert.equal(run.code, code, run.stdout + run.stderr);
  return run.stdout;
}

const commits = { main: 'a'.repeat(40), pull: 'b'.repeat(40), later: 'c'.repeat(40) };
const old: PackageRow = { id: 'CVE-2030-1', package: 'lodash', severity: 'CRITICAL' };
const added: PackageRow[] = [
  { id: 'CVE-2030-2', package: 'stdlib', severity: 'CRITICAL', version: '1.20.0', fixed: '1.21.11' },
];

/** Scans main and then a pull request that adds `packages`; returns the output of CI. */
async function blockPull(repo: string, packages: PackageRow[]): Promise<string> {
  const upload = (code: number, rows: PackageRow[], ...args: string[]) => {
    writeFileSync(join(directory, 'trivy.json'), JSON.stringify(trivyReport({ packages: rows })));
    return merlon(code, 'scan', 'upload', 'trivy.json', '--repo', repo, ...args);
  };
  await upload(0, [old], '--ref', 'main', '--sha', commits.main, '--wait');
  const base = ['--base-ref', 'main', '--base-sha', commits.main];
  return upload(1, [old, ...packages], '--ref', 'refs/pull/7/head', '--sha', commits.pull, ...base, '--gate');
}

const addressOf = (message: string, kind: 'scans/scan' | 'violations/pvl'): string => {
  const [address] = new RegExp(`${url}/w/acme/${kind}_\\w+`).exec(message.split('blocked:')[1] ?? '') ?? [];
  assert.ok(address, message);
  return address;
};

let clicks = 0;
async function click(target: Locator): Promise<void> {
  await target.click();
  clicks++;
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('textbox', { name: 'Password' }).fill(password);
  await click(page.getByRole('button', { name: 'Sign in' }));
}

const verdict = (page: Page): Locator => page.getByRole('region', { name: 'Why it blocks' });

test('a blocked pull request is excepted in six clicks, from the message in CI to the gate that passes', async () => {
  const message = await blockPull('acme/shop', added);

  // The author of the pull request follows the link of the message, signed out.
  const asker = await open();
  await asker.goto(addressOf(message, 'scans/scan'));
  await signIn(asker, people.member.user.email);
  await verdict(asker).getByText('Compared with main at aaaaaaaaaa').waitFor();
  await verdict(asker).getByText('1 that are there too do not.', { exact: false }).waitFor();
  await verdict(asker).getByText('Upgrade stdlib 1.20.0 to 1.21.11.').waitFor();
  await click(verdict(asker).getByRole('button', { name: 'Request an exception' }));
  const dialog = asker.getByRole('dialog', { name: 'Request an exception' });
  await dialog.getByLabel('Reason').fill('The function is not called.');
  await click(dialog.getByRole('button', { name: 'Request an exception' }));
  await verdict(asker).getByText('Exception requested').waitFor();
  assert.equal(await verdict(asker).getByRole('button').count(), 0, 'it is asked for once');
  await merlon(1, 'gate', '--repo', 'acme/shop', '--sha', commits.pull);

  // The reviewer follows the link to the violation, signed out too.
  const reviewer = await open();
  const page = addressOf(message, 'violations/pvl');
  await reviewer.goto(page);
  await signIn(reviewer, people.admin.user.email);
  await reviewer.waitForURL(page);
  await reviewer.getByText('The function is not called.').waitFor();
  await click(reviewer.getByRole('button', { name: 'Approve' }));
  await click(
    reviewer.getByRole('dialog', { name: 'Approve the exception' }).getByRole('button', { name: 'Approve' }),
  );
  await reviewer.getByRole('status').getByText('Waived').waitFor();

  const passed = await merlon(0, 'gate', '--repo', 'acme/shop', '--sha', commits.pull);
  assert.match(passed, /^passed: acme\/shop/m);
  assert.equal(clicks, 6);
});

test('each blocking violation of a scan has its fix, its owner and its own exception, at every width', async () => {
  const rows: PackageRow[] = [
    ...added,
    { ...(added[0] as PackageRow), id: 'CVE-2030-3', fixed: '1.21.9' },
    { id: 'CVE-2030-4', package: 'left', severity: 'CRITICAL', title: nasty },
    { id: 'CVE-2030-5', package: 'right', severity: 'HIGH', fixed: '2.0.0' },
  ];
  const message = await blockPull('acme/wide', rows);
  const { user } = people.member;
  const session = await signInAs(server, user.id);
  const found = await session.get<{ items: { id: string; title: string }[] }>(
    '/console/api/v1/acme/vulnerabilities?repo=acme/wide&ref=refs/pull/7/head',
  );
  const owned = found.body.items.find(({ title }) => title.includes('CVE-2030-2'));
  const assigned = await session.post('/manage/v1/acme/vulnerabilities/assignments', {
    assignee: 'me',
    vulnerabilities: [{ id: owned?.id }],
  });
  assert.equal(assigned.status, 200, assigned.text);

  const page = await open({ userId: user.id });
  await page.goto(addressOf(message, 'scans/scan'));
  for (const look of looks) {
    await setLook(page, look);
    const blocking = verdict(page).getByRole('list', { name: 'Blocking' }).getByRole('listitem');
    await blocking.nth(2).waitFor();
    const first = blocking.filter({ hasText: 'CVE-2030-2' });
    await first.getByText('stdlib 1.20.0, fixed in 1.21.11').waitFor();
    await first.getByText(`Owner ${user.name}`).waitFor();
    await verdict(page).getByText('Clears 2, in package-lock.json').waitFor();
    await blocking.getByText('[U+202E]', { exact: false }).waitFor();
    await verdict(page).getByRole('list', { name: 'Warnings' }).getByText('CVE-2030-5').waitFor();
    await verdict(page).getByRole('button', { name: 'Request exceptions for all 3' }).waitFor();
    assert.equal(await first.getByRole('button', { name: 'Request an exception' }).count(), 1);
    await assertFitsAndIsAccessible(page, 'blocked-scan');

    await first.getByRole('link', { name: /CVE-2030-2/ }).click();
    await page.getByRole('heading', { level: 1, name: /CVE-2030-2/ }).waitFor();
    await page.getByText('Fixed in').waitFor();
    await page.getByRole('link', { name: 'Open the vulnerability' }).waitFor();
    await page.getByRole('region', { name: 'Policy' }).getByRole('link').first().waitFor();
    await assertFitsAndIsAccessible(page, 'blocked-violation');
    await page.goBack();
  }
});

test('a viewer reads why it blocks without a button, and a superseded commit says so', async () => {
  const repo = 'acme/later';
  const message = await blockPull(repo, added);
  const page = await open({ userId: people.viewer.user.id });
  await page.goto(addressOf(message, 'scans/scan'));
  await verdict(page)
    .getByRole('link', { name: /CVE-2030-2/ })
    .waitFor();
  assert.equal(await verdict(page).getByRole('button').count(), 0);
  writeFileSync(join(directory, 'trivy.json'), JSON.stringify(trivyReport({ packages: [old] })));
  const pull = ['--repo', repo, '--ref', 'refs/pull/7/head', '--sha', commits.later];
  const base = ['--base-ref', 'main', '--base-sha', commits.main];
  await merlon(0, 'scan', 'upload', 'trivy.json', ...pull, ...base, '--gate');
  const member = await open({ userId: people.member.user.id });
  await member.goto(addressOf(message, 'scans/scan'));
  await verdict(member).getByText('A later commit of refs/pull/7/head has been scanned since').waitFor();
  assert.equal(await verdict(member).getByRole('button').count(), 0);
});
