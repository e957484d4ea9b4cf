/**
 * Tests of secrets that take the place of decided ones, and of reports that give the findings of others another type.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sarif, trivy } from '../support/reports.ts';
import { type Advisory, gitleaks, openvex, osvScanner, trivySecrets } from '../support/scanner-reports.ts';
import { createDecidedWorkspace } from './decided-workspace.ts';
import { sha } from './upload-workspace.ts';

const W = await createDecidedWorkspace();
const { gate, vulnerabilities, onlyVulnerability, decide, upload: up, newRepository, asked, rejected } = W;
const { memberKey: M, adminKey: A } = W;

const secretOf = (mark: string) => `k${`${mark}xW9`.repeat(8)}`;
const leaked = (secret: string) =>
  gitleaks([{ path: 'app.env', line: 3, secret, text: `API_KEY=${secret}` }]);
const masked = (text = 'API_KEY=****', line = 3) => trivySecrets([{ path: 'app.env', line, masked: text }]);

test('a rotated secret is a new vulnerability, although another tool shows the line masked', async () => {
  const { mainVerdict } = await rejected(leaked(secretOf('1')), masked());
  assert.equal(await mainVerdict(leaked(secretOf('2'))), 'block');
});

test('a secret that a tool masks in another way is a new vulnerability, although another tool shows it bare', async () => {
  const { mainVerdict } = await rejected(leaked(secretOf('1')), masked());
  assert.equal(await mainVerdict(masked('PASSWORD=****')), 'block');
});

test('a bare secret in the line of a masked one that is decided is a new vulnerability', async () => {
  const { repo, pull, mainVerdict } = await rejected(masked());
  await up(M, pull, masked('API_KEY=****', 90));
  const pulled = gitleaks([{ path: 'app.env', line: 90, secret: secretOf('3'), text: 'K=' }]);
  await up(M, pull, pulled);
  assert.equal((await gate(asked(pull))).verdict, 'block');
  assert.equal(await mainVerdict(pulled), 'block');
  assert.equal((await vulnerabilities(repo)).length, 2);
});

test('a bare secret that a pull request has joined with a masked one is not covered in another file', async () => {
  const repo = newRepository();
  await up(A, { repo, ref: 'main', sha: sha('a') }, masked());
  const { id } = await onlyVulnerability(repo);
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(M, pull, masked());
  await up(M, pull, leaked(secretOf('4')));
  assert.equal((await vulnerabilities(repo)).length, 1);
  await decide(W.client, 'reject', id);
  const main = { repo, ref: 'main', sha: sha('e') };
  const report = gitleaks([{ path: 'prod.env', line: 1, secret: secretOf('4'), text: 'K=' }]);
  await up(A, main, report);
  assert.equal((await gate(main)).verdict, 'block');
});

test('a secret that was joined with a decided one is a vulnerability of its own in each further file', async () => {
  const repo = newRepository();
  const main = { repo, ref: 'main', sha: sha('a') };
  await up(A, main, masked());
  await up(A, main, leaked(secretOf('5')));
  await decide(W.client, 'reject', (await onlyVulnerability(repo)).id);
  const inFiles = (...paths: string[]) =>
    gitleaks(paths.map((path) => ({ path, line: 3, secret: secretOf('5'), text: 'API_KEY=' })));
  await up(A, main, inFiles('app.env', 'b.env'));
  const [open, ...others] = await vulnerabilities(repo, { state: 'open' });
  assert.deepEqual([open === undefined, others.length], [false, 0]);
  await decide(W.client, 'reject', open?.id);
  await up(A, main, inFiles('app.env', 'b.env', 'c.env'));
  const states = (await vulnerabilities(repo)).map((row) => row.status).sort();
  assert.deepEqual(states, ['open', 'rejected', 'rejected']);
  await up(A, main, inFiles('app.env', 'b.env', 'c.env'));
  await up(A, { ...main, ref: 'release' }, inFiles('app.env', 'b.env', 'c.env'));
  assert.equal((await vulnerabilities(repo)).length, 3);
});

test('a report that gives a rule another type gives no other type to what honest reports show', async () => {
  const repo = newRepository();
  const typed = (name: string) => {
    const report = sarif([{ rule: 'AVD-AWS-0001', path: 'main.tf', line: 4, code: 'acl = "public"' }], {
      tool: 'Trivy',
    });
    const [run] = report.runs;
    return {
      ...report,
      runs: [{ ...run, tool: { driver: { ...run?.tool.driver, rules: [{ id: 'AVD-AWS-0001', name }] } } }],
    };
  };
  await up(A, { repo, ref: 'main', sha: sha('a') }, sarif([]));
  const pull = { repo, ref: 'refs/pull/7/merge', sha: sha('b'), base_ref: 'main', base_sha: sha('a') };
  await up(M, pull, typed('License'));
  await up(M, pull, typed('Misconfiguration'));
  assert.equal((await gate(asked(pull))).verdict, 'block');
  const main = { repo, ref: 'main', sha: sha('e') };
  await up(A, main, typed('Misconfiguration'));
  assert.equal((await gate(main)).verdict, 'block');
});

test('a report that says of a package of the code that it is of the system gives no other type to honest reports', async () => {
  const repo = newRepository();
  const shown = (name: string) => {
    const message =
      'Package: leaky\nInstalled Version: 1.0.0\nVulnerability CVE-2031-7777\nSeverity: CRITICAL';
    const report = sarif([{ rule: 'CVE-2031-7777', path: 'package-lock.json', line: 1, message }], {
      tool: 'Trivy',
    });
    const [run] = report.runs;
    const rules = [{ id: 'CVE-2031-7777', name, properties: { purls: ['pkg:npm/leaky@1.0.0'] } }];
    return { ...report, runs: [{ ...run, tool: { driver: { ...run?.tool.driver, rules } } }] };
  };
  for (const name of ['OsPackageVulnerability', 'LanguageSpecificPackageVulnerability']) {
    await up(M, { repo, ref: 'main', sha: sha('a'), category: name }, shown(name));
  }
  const { body } = await W.client.get<{ items: { type: string }[] }>(
    `/api/v1/acme/vulnerabilities?repo=${repo}`,
  );
  assert.deepEqual(
    body.items.map(({ type }) => type),
    ['dependency'],
  );
});

test('a license that is called like an advisory gives no other type to the vulnerability in the package', async () => {
  const repo = newRepository();
  const [id, cve] = ['RUSTSEC-2031-0001', 'CVE-2031-0001'];
  const packages = (...ids: string[]) =>
    trivy(ids.map((each) => ({ id: each, name: 'leaky', version: '1.0.0' })));
  const license = (...names: string[]) => {
    const { Results, ...report } = packages(id);
    return {
      ...report,
      Results: Results.map(({ Vulnerabilities, ...result }) => ({
        ...result,
        Licenses: names.map((Name) => ({ ...Vulnerabilities[0], Name })),
      })),
    };
  };
  const main = { repo, ref: 'main', sha: sha('a') };
  // A document cannot teach that a license is another name of an advisory.
  const taught = {
    status: 'under_investigation' as const,
    purl: 'pkg:npm/other',
    id: 'license:X',
    aliases: [cve],
  };
  await up(M, main, openvex([taught], null));
  await up(M, { ...main, category: 'planted' }, license(id, 'X'));
  await up(M, main, packages(id, cve));
  // In the other order the vulnerability gives the license no other type.
  await up(M, { ...main, category: 'odd' }, packages('license:AGPL-3.0'));
  const malicious: Advisory = {
    id: 'license:AGPL-3.0',
    aliases: ['MAL-2031-9'],
    package: 'leaky',
    version: '1.0.0',
    severity: 'low',
  };
  await up(M, { ...main, category: 'malicious' }, osvScanner([malicious]));
  await up(M, { ...main, category: 'licenses' }, license('AGPL-3.0'));
  const { body } = await W.client.get<{ items: { type: string; title: string }[] }>(
    `/api/v1/acme/vulnerabilities?repo=${repo}`,
  );
  assert.deepEqual(body.items.map(({ type, title }) => [type, title]).sort(), [
    ['dependency', `leaky: ${cve}`],
    ['dependency', `leaky: ${id}`],
    ['license', 'AGPL-3.0 in leaky'],
    ['license', `${id} in leaky`],
    ['license', 'X in leaky'],
  ]);
});
