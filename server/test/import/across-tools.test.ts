/**
 * Tests of one vulnerability that several tools know by different names: there is one row, whichever tool came first,
 * and it is closed only when no tool sees it any more. Names may turn out late to be the same; decisions under either
 * name are kept.
 */
import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { type Action, decide } from '../../src/actions/triage/decisions.ts';
import { formatId, nilId, type VulnerabilityId } from '../../src/domain/ids.ts';
import { type Status, severities, unpackState } from '../../src/domain/packed-state.ts';
import { sweepScans } from '../../src/ingest/scans/sweep.ts';
import { clientOf } from '../support/client.ts';
import { fieldOf, fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { trivy } from '../support/reports.ts';
import { grype, npmAudit, openvex, osvScanner, type VexRow } from '../support/scanner-reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace, principalAs, reportInput } from '../support/workspace.ts';

const server = await createTestServer();
afterEach(() => assertInvariants(server.owner));
const cve = 'CVE-2021-23337';
const ghsa = 'GHSA-35jh-r3h4-6jhm';
const lodash = { package: 'lodash', version: '4.17.20' };
// npm's report has no version, so the advisory has none.
const purl = 'pkg:npm/lodash';

type Tool = 'trivy' | 'grype' | 'osv-scanner' | 'npm-audit';

/**
 * The report of each tool; null if the tool does not see the problem. Trivy knows only the CVE, npm only GitHub's id.
 */
const reportOf: Record<Tool, (sees: boolean) => object> = {
  trivy: (sees) =>
    trivy(
      sees ? [{ id: cve, name: 'lodash', version: '4.17.20', severity: 'MEDIUM', fixed: '4.17.21' }] : [],
    ),
  grype: (sees) =>
    grype(sees ? [{ ...lodash, id: ghsa, aliases: [cve], severity: 'high', fixed: '4.17.21' }] : []),
  'osv-scanner': (sees) =>
    osvScanner(sees ? [{ ...lodash, id: ghsa, aliases: [cve], severity: 'low', fixed: '4.17.19' }] : []),
  'npm-audit': (sees) =>
    npmAudit(sees ? [{ ...lodash, id: ghsa, severity: 'critical', fixed: '4.17.22' }] : []),
};
const names: Record<Tool, string[]> = {
  trivy: [cve],
  grype: [cve, ghsa],
  'osv-scanner': [cve, ghsa],
  'npm-audit': [ghsa],
};
const severityBy: Record<Tool, number> = {
  trivy: severities.indexOf('medium'),
  grype: severities.indexOf('high'),
  'osv-scanner': severities.indexOf('low'),
  'npm-audit': severities.indexOf('critical'),
};

function ordersOf<T>(items: T[]): T[][] {
  if (items.length < 2) return [items];
  return items.flatMap((item) =>
    ordersOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

// A workspace uses learned names in all its repositories, so each case has its own workspace.
let workspaces = 0;
async function createWorkspace() {
  const slug = `acme-${++workspaces}`;
  const workspace = await createTestWorkspace(server, slug);
  let day = 0;
  /** Imports the reports of the tools in their order, one day apart. */
  const bring = async (reports: object[], options: { repository?: string; ref?: string } = {}) => {
    const inputs = reports.map((report) =>
      reportInput(report, { scannedAt: new Date(Date.UTC(2026, 0, ++day)), ...options }),
    );
    const scans = await importAll(server, slug, inputs);
    return scans.map(({ id, error, counts }) => {
      assert.equal(error, null);
      return { id, new: counts?.new, unchanged: counts?.unchanged, fixed: counts?.fixed };
    });
  };
  const see = (list: Tool[], options?: { repository?: string; ref?: string }) =>
    bring(
      list.map((tool) => reportOf[tool](true)),
      options,
    );
  const { tenant } = workspace;
  const act = (action: Action, id: VulnerabilityId) =>
    decide(server.db, principalAs(workspace, 'admin'), {
      action,
      reason: 'seen',
      vulnerabilities: [{ id: formatId('vulnerability', id) }],
    });
  const vex = (row: Omit<VexRow, 'status'>) =>
    openvex([{ status: 'not_affected', purl, ...row }], new Date('2026-01-01T00:00:00Z'));
  const sweep = () => sweepScans(server.db, tenant.id, new Date(), 0, assert.ifError);
  const client = clientOf(server.app, workspace.people.admin.key);
  return { slug, tenant, client, bring, see, act, vex, sweep, known: () => listKnown(tenant.id) };
}

async function listKnown(tenantId: string) {
  const { rows } = await server.owner.query(
    `select v.id, v.packed_state, v.advisory, v.rule, v.identifiers, v.title, v.fix_version, v.exploitable_at, r.full_name,
            array(select w.tool from vulnerability_reporter w where w.vulnerability_id = v.id and w.live order by 1) as tools,
            array(select d.id from vulnerability_redirect d where d.vulnerability_id = v.id order by 1) as merged
       from vulnerability v join repository r on r.id = v.repository_id where v.tenant_id = $1 order by v.id`,
    [tenantId],
  );
  return rows.map((row) => ({
    id: row.id as VulnerabilityId,
    repository: row.full_name as string,
    status: unpackState(row.packed_state).status,
    severity: unpackState(row.packed_state).severity,
    advisory: row.advisory as string,
    rule: row.rule as string | null,
    further: (row.identifiers ?? []) as string[],
    title: row.title as string,
    fix: row.fix_version as string | null,
    exploitableAt: row.exploitable_at as Date | null,
    tools: row.tools as string[],
    merged: row.merged as string[],
  }));
}

const tools: Tool[] = ['grype', 'npm-audit', 'osv-scanner', 'trivy'];
const orders = ordersOf(tools);

test('four tools in all 24 orders give one vulnerability with the same fields', async () => {
  assert.equal(orders.length, 24);
  for (const order of orders) {
    const message = order.join(', ');
    const { see, known } = await createWorkspace();
    const scans = await see(order);
    // A report is new if it shares no name with any earlier one.
    const isNew = order.map((tool, i) => {
      const before = new Set(order.slice(0, i).flatMap((other) => names[other]));
      return names[tool].every((name) => !before.has(name));
    });
    assert.deepEqual(fieldOf(scans, 'new'), isNew.map(Number), message);
    const [one, ...others] = await known();
    assert.deepEqual(others, [], message);
    assert.deepEqual(
      { ...one, id: null, merged: one?.merged.length },
      {
        id: null,
        repository: 'acme/shop',
        status: 'open',
        severity: 'critical',
        advisory: cve,
        // The oldest one stays, and its rule is the advisory as the first tool reported it.
        rule: order[0] === 'trivy' ? null : ghsa,
        further: [ghsa],
        title: `lodash: ${cve}`,
        // The lowest version that satisfies all four.
        fix: '4.17.22',
        exploitableAt: null,
        tools,
        merged: isNew.filter(Boolean).length - 1,
      },
      message,
    );
  }
});

test('a vulnerability of four tools is closed when the last tool no longer sees it, in any order', async () => {
  for (const [i, order] of orders.entries()) {
    if (i % 3 !== 0) continue;
    const message = order.join(', ');
    const { tenant, see, bring, known } = await createWorkspace();
    await see(orders[(i * 7) % orders.length] ?? []);
    const scans = await bring(order.map((tool) => reportOf[tool](false)));
    assert.deepEqual(fieldOf(scans, 'fixed'), [0, 0, 0, 1], message);
    // The highest severity of the remaining claims counts.
    const left = order.map((_, n) => Math.max(...order.slice(n).map((tool) => severityBy[tool])));
    const expected = left.flatMap((rank, n) => (n > 0 && rank !== left[n - 1] ? [severities[rank]] : []));
    const { rows } = await server.owner.query(
      `select data->>'to' as severity from vulnerability_event
        where tenant_id = $1 and kind = $2 and scan_id = any($3::uuid[]) order by id`,
      [tenant.id, 'severity_changed', scans.map((scan) => scan.id)],
    );
    assert.deepEqual(fieldOf(rows, 'severity'), expected, message);
    assert.deepEqual(fieldsOf(await known(), 'status', 'tools'), [['fixed', []]], message);
  }
});

interface LateName {
  /** The tools that see it, in order. The last one knows both names. */
  order: Tool[];
  /** Actions before the last report: on the older vulnerability, and on the younger one. */
  acts: (Action | null)[];
  status: Status;
}

const lateNames: LateName[] = [
  { order: ['npm-audit', 'grype'], acts: ['accept'], status: 'accepted' },
  { order: ['trivy', 'osv-scanner'], acts: ['reject'], status: 'rejected' },
  { order: ['npm-audit', 'trivy', 'grype'], acts: [null, null], status: 'open' },
  { order: ['npm-audit', 'trivy', 'osv-scanner'], acts: ['accept', null], status: 'accepted' },
  { order: ['trivy', 'npm-audit', 'grype'], acts: [null, 'reject'], status: 'rejected' },
  // Both have a decision by a person, so the survivor keeps its own.
  { order: ['trivy', 'npm-audit', 'osv-scanner'], acts: ['ignore', 'reject'], status: 'ignored' },
];

for (const { order, acts, status } of lateNames) {
  const decisions = acts.map((action) => action ?? 'no decision').join(', ');
  test(`a name that is learned late: ${order.join(', ')}; ${decisions}`, async () => {
    const { slug, client, see, act, known } = await createWorkspace();
    await see(order.slice(0, -1));
    const before = await known();
    assert.equal(before.length, acts.length);
    for (const [n, action] of acts.entries()) if (action) await act(action, before[n]?.id ?? nilId);
    const [scan] = await see(order.slice(-1));
    assert.deepEqual([scan?.new, scan?.unchanged], [0, 1]);
    const [older, ...younger] = before.map(({ id }) => id);
    const after = await known();
    assert.deepEqual(fieldsOf(after, 'id', 'status', 'advisory', 'further', 'merged'), [
      [older, status, cve, [ghsa], younger],
    ]);
    for (const id of before) {
      const { body } = await client.get(
        `/api/v1/${slug}/vulnerabilities/${formatId('vulnerability', id.id)}`,
      );
      assert.equal(body.id, formatId('vulnerability', older ?? nilId));
      assert.deepEqual([body.rule, body.identifiers], [order[0] === 'trivy' ? cve : ghsa, [cve, ghsa]]);
    }
    // Both names match the known vulnerability, so no new one is opened, here or on a branch.
    const again = [...(await see(order)), ...(await see(['npm-audit', 'trivy'], { ref: 'feature' }))];
    assert.deepEqual(
      fieldOf(again, 'new'),
      again.map(() => 0),
    );
    assert.equal((await known()).length, 1);
  });
}

test('a name that one repository learns joins vulnerabilities in others, and not in another workspace', async () => {
  const { see, act, sweep, known } = await createWorkspace();
  const stranger = await createWorkspace();
  await stranger.see(['npm-audit', 'trivy']);
  await see(['npm-audit'], { repository: 'acme/one' });
  await see(['trivy'], { repository: 'acme/other' });
  for (const repository of ['acme/by-the-clock', 'acme/by-its-next-report']) {
    await see(['npm-audit', 'trivy'], { repository });
    const younger = (await known()).at(-1);
    assert.equal(younger?.repository, repository);
    await act('accept', younger?.id ?? '');
  }
  await see(['grype'], { repository: 'acme/teacher' });
  await see(['npm-audit'], { repository: 'acme/by-its-next-report' });
  const countOf = async (repository: string) =>
    (await known()).filter((row) => row.repository === repository).length;
  assert.deepEqual([await countOf('acme/by-its-next-report'), await countOf('acme/by-the-clock')], [1, 2]);
  await sweep();
  assert.deepEqual(
    (await known()).map((row) => [
      row.repository,
      row.advisory,
      row.rule,
      row.further,
      row.status,
      row.tools.length,
    ]),
    [
      // The advisory had another name before, which stays the rule and an id.
      ['acme/one', cve, ghsa, [ghsa], 'open', 1],
      ['acme/other', cve, null, [], 'open', 1],
      ['acme/by-the-clock', cve, ghsa, [ghsa], 'accepted', 2],
      ['acme/by-its-next-report', cve, ghsa, [ghsa], 'accepted', 2],
      ['acme/teacher', cve, ghsa, [ghsa], 'open', 1],
    ],
  );
  await stranger.sweep();
  assert.deepEqual(fieldOf(await stranger.known(), 'advisory'), [ghsa, cve]);
});

type Workspace = Awaited<ReturnType<typeof createWorkspace>>;

const documents: Record<string, (workspace: Workspace) => Promise<unknown>> = {
  'the document knows both names, the tool one': async ({ see, bring, vex }) => {
    await see(['npm-audit']);
    await bring([vex({ id: cve, aliases: [ghsa] })]);
  },
  'the document knows both names, two tools one each': async ({ see, bring, vex }) => {
    await see(['npm-audit', 'trivy']);
    await bring([vex({ id: cve, aliases: [ghsa] })]);
  },
  'the document came before the tools, under the other name': async ({ see, bring, vex }) => {
    await bring([vex({ id: ghsa })]);
    await see(['trivy', 'grype']);
  },
  'the document came between the tools, under the other name': async ({ see, bring, vex }) => {
    await see(['npm-audit']);
    await bring([vex({ id: cve })]);
    await see(['osv-scanner']);
  },
  'another repository tells that the name of the document is the tool’s': async ({
    see,
    bring,
    vex,
    sweep,
  }) => {
    await see(['trivy']);
    await bring([vex({ id: ghsa })]);
    await see(['grype'], { repository: 'acme/teacher' });
    await sweep();
  },
};

for (const [name, happen] of Object.entries(documents)) {
  test(`a VEX statement by another name applies: ${name}`, async () => {
    const workspace = await createWorkspace();
    await happen(workspace);
    const here = (await workspace.known()).filter((row) => row.repository === 'acme/shop');
    assert.deepEqual(fieldsOf(here, 'advisory', 'status'), [[cve, 'rejected']]);
  });
}

test('an exploited CVE makes the vulnerability exploitable as soon as the CVE is known', async () => {
  await server.owner.query(
    `insert into kev (cve, added_on, vendor, product, name) values ($1, '2026-01-01', 'Acme', 'Shop', 'Injection')`,
    [cve],
  );
  const { see, known } = await createWorkspace();
  await see(['npm-audit']);
  assert.deepEqual(fieldOf(await known(), 'exploitableAt'), [null]);
  await see(['grype']);
  await see(['npm-audit'], { repository: 'acme/other' });
  // The time is that of the entry in the catalogue, but not before they were found: on the first day, and on the third.
  assert.deepEqual(
    (await known()).map((row) => row.exploitableAt?.toISOString().slice(0, 10)),
    ['2026-01-01', '2026-01-03'],
  );
});

test('several reports give a vulnerability at most 10,000 further ids, and a later one displaces none', async () => {
  const { bring, tenant } = await createWorkspace();
  const others = (tool: string) => Array.from({ length: 6000 }, (_, n) => `${tool}-${n}`);
  await bring([grype([{ ...lodash, id: cve, aliases: others('ZZZ') }])]);
  await bring([osvScanner([{ ...lodash, id: cve, aliases: others('AAA') }])]);
  const { rows } = await server.owner.query<{ identifiers: string[] }>(
    'select identifiers from vulnerability where tenant_id = $1',
    [tenant.id],
  );
  const ids = rows.map(({ identifiers }) => new Set(identifiers));
  assert.deepEqual(fieldOf(ids, 'size'), [10_000]);
  assert.deepEqual(
    others('ZZZ').filter((id) => !ids[0]?.has(id)),
    [],
  );
});
