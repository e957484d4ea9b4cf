/**
 * Tests of attacks with learned names together with documents that are sent repeatedly, and by members who may decide
 * elsewhere.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trivy } from '../support/reports.ts';
import { openvex, osvScanner } from '../support/scanner-reports.ts';
import { createTestKey } from '../support/workspace.ts';
import { createUploadWorkspace, newCase, vexOf } from './upload-workspace.ts';

const W = await createUploadWorkspace();
const { server, people, client: admin, vulnerabilities, decide, upload, adminKey, verdictOf } = W;
const { key: uploadKey } = await createTestKey(server, {
  userId: people.member.user.id,
  role: 'member',
  scopes: ['scans:read', 'scans:write'],
});
const { key: memberKey } = await createTestKey(server, {
  userId: people.member.user.id,
  role: 'member',
  scopes: ['scans:read', 'scans:write', 'vulnerabilities:read', 'vulnerabilities:write'],
});
const purl = 'pkg:npm/leaky';

for (const [how, at] of [
  ['without a date', () => null],
  ['dated anew', () => new Date()],
] as const) {
  test(`a document that is sent with every build, ${how}, covers no name that was taught meanwhile`, async () => {
    const { repo, cve, ghsa, advisory, teaching } = newCase();
    const document = () => vexOf(cve, 'not_affected', at());
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
    await upload(adminKey, { repo, ref: 'main' }, document());
    assert.equal(await verdictOf(repo), 'pass');
    await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
    assert.equal(await verdictOf(repo), 'block');
    await upload(adminKey, { repo, ref: 'main' }, document());
    assert.equal(await verdictOf(repo), 'block', 'nobody has decided about the other name');
  });
}

test('a document about a CVE covers no finding that an untrusted name has joined before it came', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal(await verdictOf(repo), 'block');
  await upload(adminKey, { repo, ref: 'main' }, vexOf(cve, 'not_affected', new Date()));
  assert.equal(await verdictOf(repo), 'block');
});

test('a member whose key may decide teaches no name that an admin’s later decision covers', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await upload(memberKey, { repo: 'acme/mine', ref: 'main', partial: 'true' }, teaching);
  const [found] = await vulnerabilities(repo, { ref: 'main' });
  await decide(admin, 'reject', found?.id);
  assert.equal(await verdictOf(repo), 'pass');
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve), advisory(ghsa)]));
  assert.equal(await verdictOf(repo), 'block');
});

test('an unchanged ignore file covers no name that was taught meanwhile, whatever else its report changes', async () => {
  const { repo, cve, ghsa, advisory, teaching } = newCase();
  const waived = (severity: string) => {
    const report = trivy([]);
    const Finding = {
      VulnerabilityID: cve,
      PkgName: 'leaky',
      InstalledVersion: '1.0.0',
      Severity: severity,
      PkgIdentifier: { PURL: 'pkg:npm/leaky@1.0.0' },
    };
    const ExperimentalModifiedFindings = [
      { Type: 'vulnerability', Status: 'ignored', Statement: 'Not used.', Source: '.trivyignore', Finding },
    ];
    const result = {
      Target: 'package-lock.json',
      Class: 'lang-pkgs',
      Type: 'npm',
      ExperimentalModifiedFindings,
    };
    return { ...report, Results: [result] };
  };
  await upload(adminKey, { repo, ref: 'main' }, waived('CRITICAL'));
  assert.equal(await verdictOf(repo), 'pass');
  await upload(uploadKey, { repo, ref: 'side', partial: 'true' }, teaching);
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(ghsa)]));
  assert.equal(await verdictOf(repo), 'block', 'the other name is open');
  await upload(adminKey, { repo, ref: 'main' }, waived('HIGH'));
  assert.equal(await verdictOf(repo), 'block', 'nobody has decided about the other name');
});

test('a document that is sent again after another one is no repetition, and counts again', async () => {
  const { repo, cve, advisory } = newCase();
  const say = (commit: string, status: 'affected' | 'not_affected', ref = 'main', process = true) =>
    upload(
      adminKey,
      { repo, ref, sha: commit.repeat(40) },
      openvex([{ status, purl, id: cve }], null),
      process,
    );
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  await say('a', 'affected');
  await say('b', 'not_affected');
  assert.equal(await verdictOf(repo), 'pass');
  const affected = await say('a', 'affected');
  assert.equal(await verdictOf(repo), 'block');
  await say('c', 'not_affected', 'release', false);
  const again = await say('a', 'affected');
  assert.notEqual(again.id, affected.id, 'a document for another branch waited');
});

test('a newer denial about one product of a document hides no other product that is affected', async () => {
  const { repo, cve, advisory } = newCase();
  const statement = (product: string, status: string, day: string) => ({
    vulnerability: { name: cve },
    products: [{ '@id': `pkg:generic/${product}`, subcomponents: [{ '@id': `${purl}@1.0.0` }] }],
    status,
    impact_statement: 'As we know.',
    timestamp: `2026-01-${day}T00:00:00Z`,
  });
  const document = (...statements: object[]) => ({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://example.com/vex',
    author: 'Acme',
    timestamp: '2026-01-03T00:00:00Z',
    version: 1,
    statements,
  });
  await upload(adminKey, { repo, ref: 'main' }, osvScanner([advisory(cve)]));
  const affected = statement('two', 'affected', '01');
  await upload(adminKey, { repo, ref: 'main' }, document(affected, statement('one', 'not_affected', '02')));
  assert.equal(await verdictOf(repo), 'block');
  await upload(adminKey, { repo, ref: 'main' }, document(affected, statement('two', 'not_affected', '02')));
  assert.equal(await verdictOf(repo), 'pass', 'a newer statement about the same product replaces it');
});

test('a newer denial about one product hides no other that has the same part, in OpenVEX 0.0.1 and CycloneDX', async () => {
  const openVex = (...statements: [product: string, status: string, day: string][]) => ({
    '@context': 'https://openvex.dev/ns',
    '@id': 'https://example.com/vex',
    author: 'Acme',
    timestamp: '2026-01-03T00:00:00Z',
    version: '1',
    statements: statements.map(([product, status, day]) => ({
      vulnerability: cve,
      products: [`pkg:generic/${product}`],
      subcomponents: [`${purl}@1.0.0`],
      status,
      impact_statement: 'As we know.',
      timestamp: `2026-01-${day}T00:00:00Z`,
    })),
  });
  const cycloneDx = (...statements: [component: string, status: string, day: string][]) => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: ['one', 'two'].map((ref) => ({ 'bom-ref': ref, type: 'library', purl: `${purl}@1.0.0` })),
    vulnerabilities: statements.map(([component, status, day]) => ({
      id: cve,
      affects: [{ ref: component }],
      analysis: {
        state: status === 'affected' ? 'exploitable' : status,
        lastUpdated: `2026-01-${day}T00:00:00Z`,
      },
    })),
  });
  const { cve, ...first } = newCase();
  for (const document of [openVex, cycloneDx]) {
    const { repo } = document === openVex ? first : newCase();
    await upload(adminKey, { repo, ref: 'main' }, osvScanner([first.advisory(cve)]));
    const affected = ['two', 'affected', '01'] as const;
    await upload(adminKey, { repo, ref: 'main' }, document([...affected], ['one', 'not_affected', '02']));
    assert.equal(await verdictOf(repo), 'block');
    await upload(adminKey, { repo, ref: 'main' }, document([...affected], ['two', 'not_affected', '02']));
    assert.equal(await verdictOf(repo), 'pass', 'a newer statement about the same product replaces it');
  }
});
