/** Tests of signals: each is compared with the vulnerability's detail, its violations and its live references. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formatId, newId } from '../../src/domain/ids.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { clientOf, type Json, type Schemas, succeeded, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, policiesOf, policyOf } from '../support/policies.ts';
import { sarif } from '../support/reports.ts';
import { grype } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, reportInput } from '../support/workspace.ts';
import { fields, id, list, nullable, ShapeChecker } from './shapes.ts';

const shape = fields({
  id: id('vc'),
  kev: 'boolean',
  kev_due: nullable('string'),
  epss: nullable('number'),
  cvss: nullable('number'),
  exploitable: 'boolean',
  status_version: 'string',
  accepted_until: nullable('timestamp'),
  due_at: nullable('timestamp'),
  overdue: 'boolean',
  blocking: 'boolean',
  tools: list('string'),
  references: 'integer',
  live_on: nullable(fields({ ref: 'string', is_default: 'boolean' })),
});

type Signal = Schemas['VulnerabilitySignals'];
type Detail = Schemas['VulnerabilityDetail'];

const dayMs = 24 * 3600_000;
const daysAgo = (days: number): Date => new Date(Date.now() - days * dayMs);
const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, people.admin.key);
const base = '/api/v1/acme/vulnerabilities';

await server.owner.query(
  `insert into kev (cve, added_on, due_on, vendor, product, name) values
     ('CVE-2030-1000', '2030-01-01', '2030-02-01', 'Acme', 'Shop', 'Injection'),
     ('CVE-2030-1001', '2030-01-01', null, 'Acme', 'Shop', 'Injection')`,
);
await server.owner.query(
  `insert into epss (cve, score, percentile) values ('CVE-2030-1000', 0.94311, 0.999)`,
);
await applyAndEvaluate(
  server,
  tenant.id,
  policiesOf(
    policyOf('severe', "{fact: severity, operator: '>=', value: critical}", { window: '2d' }),
    policyOf('any', "{fact: type, operator: '==', value: dependency}", { mode: 'warn', window: '40d' }),
  ),
);

const row = (number: number, severity: string, more: object = {}): object => ({
  VulnerabilityID: `CVE-2030-${1000 + number}`,
  PkgName: `lib${number}`,
  InstalledVersion: '1.0.0',
  Severity: severity,
  Title: `lib${number}`,
  ...more,
});
const trivy = (...rows: object[]): object => ({
  SchemaVersion: 2,
  ArtifactName: '.',
  ArtifactType: 'repository',
  Results: [{ Target: 'package-lock.json', Class: 'lang-pkgs', Type: 'npm', Vulnerabilities: rows }],
});
const worst = row(0, 'CRITICAL', { FixedVersion: '1.0.1', CVSS: { nvd: { V3Score: 9.8 } } });
await importAll(server, 'acme', [
  reportInput(trivy(worst, row(1, 'HIGH'), row(2, 'LOW'), row(3, 'LOW'), row(4, 'LOW')), {
    scannedAt: daysAgo(20),
  }),
  reportInput(trivy(worst), { ref: 'feature/a', scannedAt: daysAgo(10) }),
  reportInput(trivy(worst), { ref: 'feature/quiet', scannedAt: daysAgo(60) }),
  reportInput(
    grype([
      {
        id: 'CVE-2030-1000',
        aliases: [],
        package: 'lib0',
        version: '1.0.0',
        severity: 'critical',
        fixed: '1.0.1',
      },
    ]),
    { scannedAt: daysAgo(9) },
  ),
  // Package 2 is fixed.
  reportInput(trivy(worst, row(1, 'HIGH'), row(3, 'LOW'), row(4, 'LOW')), { scannedAt: daysAgo(8) }),
  reportInput(sarif([{ rule: 'sqli', path: 'src/db.ts', line: 3, code: 'query(q)' }]), {
    scannedAt: daysAgo(8),
  }),
]);
await sweepTenant(server.db, tenant.id, new Date(), 30);

const ids = new Map(
  (await walk<{ id: string; title: string }>(client, base)).map(({ id: one, title }) => [title, one]),
);
const idOf = (title: string): string => ids.get(title) ?? '';
const until = new Date(Math.floor(Date.now() / 1000) * 1000 + 30 * dayMs).toISOString();
for (const [path, body] of [
  ['/manage/v1/acme/vulnerabilities/decisions', { action: 'accept', reason: 'known', until }],
] as const) {
  const { status, text } = await client.post(path, { ...body, vulnerabilities: [{ id: idOf('lib1') }] });
  assert.equal(status, 200, text);
}
await client.patch(`${base}/${idOf('lib3')}/assignment`, { assignee: people.member.user.email });

async function signals(...wanted: string[]): Promise<Signal[]> {
  const body = succeeded(await client.get<{ items: Signal[] }>(`${base}/signals?ids=${wanted.join()}`));
  return body.items;
}

async function detail(one: string): Promise<Detail> {
  return (await client.get<Detail>(`${base}/${one}`)).body;
}

describe('signals', () => {
  test('are the values of each vulnerability’s detail', async () => {
    const all = [...ids.values()];
    assert.equal(all.length, 6);
    const items = await signals(...all);
    assert.deepEqual(fieldOf(items, 'id'), all);
    const checker = new ShapeChecker();
    assert.deepEqual(checker.problems(list(shape), items), []);
    // Each nullable field was seen both null and not null.
    assert.deepEqual(checker.seenNull, checker.seenValue);
    for (const item of items) {
      const shown = await detail(item.id);
      const live = shown.reporters.filter((reporter) => reporter.live);
      const tools = live.length > 0 ? live : shown.reporters;
      const { due_at, overdue, blocking, references, live_on: liveOn, ...rest } = item;
      assert.equal(liveOn === null, references === 0);
      assert.deepEqual(
        rest,
        {
          id: shown.id,
          kev: shown.kev !== null,
          kev_due: shown.kev?.due_on ?? null,
          epss: shown.epss?.score ?? null,
          cvss: shown.cvss.score,
          exploitable: shown.exploitable_at !== null,
          status_version: shown.status_version,
          accepted_until: shown.accepted_until,
          tools: [...new Set(tools.map((reporter) => reporter.tool))].toSorted(),
        },
        shown.title,
      );
    }
  });

  test('due is the soonest active violation, and blocking is true if one of them blocks', async () => {
    const violations = await walk<Json>(client, '/api/v1/acme/policy-violations', { repo: 'acme/shop' });
    for (const item of await signals(...ids.values())) {
      const unresolved = violations.filter(
        (one) => (one.target as Json).id === item.id && one.status !== 'resolved' && one.status !== 'waived',
      );
      const due = unresolved.map((one) => String(one.due_at)).toSorted();
      assert.equal(item.due_at, due[0] ?? null);
      assert.equal(item.overdue, due[0] !== undefined && Date.parse(due[0]) < Date.now());
      assert.equal(
        item.blocking,
        unresolved.some((one) => one.blocking),
      );
    }
    const [first, accepted, fixed, later] = await signals(
      idOf('lib0'),
      idOf('lib1'),
      idOf('lib2'),
      idOf('lib3'),
    );
    assert.deepEqual([first?.overdue, first?.blocking], [true, true]);
    assert.deepEqual([accepted?.due_at, fixed?.due_at], [null, null]);
    assert.deepEqual([typeof later?.due_at, later?.overdue, later?.blocking], ['string', false, false]);
  });

  test('references are the active ones on which it is live', async () => {
    const [first, fixed, code] = await signals(idOf('lib0'), idOf('lib2'), idOf('sqli found'));
    // main and feature/a; feature/quiet was not scanned for long.
    assert.deepEqual([first?.references, fixed?.references, code?.references], [2, 0, 1]);
    assert.deepEqual([first?.live_on, fixed?.live_on], [{ ref: 'main', is_default: true }, null]);
    assert.deepEqual([first?.tools, fixed?.tools, code?.tools], [['grype', 'trivy'], ['trivy'], ['semgrep']]);
  });

  test('ids that are unknown, malformed, merged or of another workspace are left out', async () => {
    const other = await createTestWorkspace(server, 'other');
    await importAll(server, 'other', [reportInput(trivy(worst))]);
    const { body } = await clientOf(server.app, other.people.viewer.key).get<{ items: { id: string }[] }>(
      '/api/v1/other/vulnerabilities',
    );
    const foreign = body.items[0]?.id ?? '';
    const gone = idOf('lib4');
    const merged = await client.post(`/manage/v1/acme/vulnerabilities/${idOf('lib3')}/merge`, {
      others: [gone],
      reason: 'the same',
    });
    assert.equal(merged.status, 200, merged.text);
    const mine = idOf('lib0');
    const items = await signals(
      foreign,
      gone,
      formatId('vulnerability', newId()),
      'vc_x',
      'nonsense',
      mine,
      mine,
    );
    assert.deepEqual(fieldOf(items, 'id'), [mine]);
  });

  test('at least one and at most 200 ids are accepted', async () => {
    const many = (n: number): string[] => Array.from({ length: n }, () => formatId('vulnerability', newId()));
    assert.deepEqual(await signals(...many(200)), []);
    for (const query of [`?ids=${many(201).join()}`, '?ids=', '']) {
      const { status, body } = await client.get(`${base}/signals${query}`);
      assert.deepEqual([status, body.code], [422, 'VALIDATION_FAILED'], query.slice(0, 20));
    }
  });
});
