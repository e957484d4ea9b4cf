/** Tests of `q`: words of the title and of the package, compounds from any part, advisories under any name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, type Page, queryOf } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const severity = 'HIGH' as const;
const ghsa = 'GHSA-jfh8-c2jp-5v3q';

await importAll(server, 'acme', [
  reportInput(
    trivyReport({
      packages: [
        {
          id: 'CVE-2016-10541',
          package: 'shell-quote',
          severity,
          title: 'nodejs-shell-quote: command injection',
        },
        { id: 'CVE-2031-7', package: '@acme/ui-kit', severity, title: 'Markup in a title is run' },
        { id: 'CVE-2021-44228', package: 'log4j-core', severity, title: 'Remote code execution' },
        { id: 'CVE-2021-442280', package: 'left-pad', severity, title: 'Remote code execution' },
      ],
    }),
  ),
  reportInput(
    grype([
      { id: ghsa, aliases: ['CVE-2021-44228'], package: 'log4j-core', version: '1.0.0', severity: 'high' },
      { id: 'GHSA-aaaa-bbbb-cccc', aliases: [], package: 'braces', version: '1.0.0', severity: 'high' },
    ]),
  ),
]);
await importAll(server, 'other', [
  reportInput(
    trivyReport({ packages: [{ id: 'CVE-2021-44228', package: 'log4j-core', severity, title: 'Theirs' }] }),
  ),
]);

const client = clientOf(server.app, acme.people.viewer.key);

async function found(q: string, more: Record<string, string> = {}): Promise<string[]> {
  const { body } = await client.get<Page<{ title: string }> & { summary: { total: number } }>(
    `/api/v1/acme/vulnerabilities${queryOf({ q, ...more })}`,
  );
  assert.equal(body.summary.total, body.items.length, 'the summary counts what is found');
  return body.items.map(({ title }) => title).sort();
}

const shellQuote = ['nodejs-shell-quote: command injection'];
const uiKit = ['Markup in a title is run'];
const remote = ['Remote code execution'];

test('a compound is found whole and by each of its later parts', async () => {
  for (const q of ['nodejs-shell-quote', 'shell-quote', 'SHELL-QUO', 'quote', 'shell injection']) {
    assert.deepEqual(await found(q), shellQuote, q);
  }
});

test('a package is found by its name, its scope and its package URL', async () => {
  for (const q of [
    'ui-kit',
    '@acme/ui-kit',
    'acme',
    'npm/@acme/ui-kit',
    'pkg:npm/@acme/ui-kit',
    'markup kit',
  ]) {
    assert.deepEqual(await found(q), uiKit, q);
  }
});

test('an advisory is found by its id in any case, and by other names that reports gave it', async () => {
  for (const q of ['CVE-2021-44228', 'cve-2021-44228', ghsa, ghsa.toUpperCase(), 'CVE-2021-44228 log4j']) {
    assert.deepEqual(await found(q), remote, q);
  }
  assert.equal((await found('GHSA-aaaa-bbbb-cccc')).length, 1);
  assert.deepEqual(await found('CVE-2021-44229'), []);
  assert.deepEqual(await found('CVE-2021-44228 braces'), [], 'all that is written has to hold');
});

test('more than 20 terms are refused', async () => {
  const terms = Array.from({ length: 21 }, (_, i) => `word${i}`).join(' ');
  const { status, body } = await client.get<{ errors: object }>(
    `/api/v1/acme/vulnerabilities${queryOf({ q: terms })}`,
  );
  assert.equal(status, 422);
  assert.deepEqual(body.errors, { q: ['Must not have more than 20 words.'] });
});

test('the scope limits the search, and nothing of another workspace is found', async () => {
  const repo = 'acme/shop';
  for (const more of [
    { repo },
    { repo, ref: 'main' },
    { ref: 'HEAD' },
    { ref: 'main' },
    { assignee: 'unassigned' },
  ]) {
    assert.deepEqual(await found('CVE-2021-44228', more), remote, JSON.stringify(more));
  }
  const theirs = clientOf(server.app, other.people.viewer.key);
  const { body } = await theirs.get<Page<{ title: string }>>('/api/v1/other/vulnerabilities?q=shell-quote');
  assert.deepEqual(body.items, []);
});
