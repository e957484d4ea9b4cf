/**
 * Tests of `include`: each field of a row, compared with the vulnerability's detail, locations, references and
 * violations.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clientOf, type Json, type Page, queryOf, type Schemas, succeeded, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { applyAndEvaluate, policiesOf, policyOf } from '../support/policies.ts';
import { createTestServer } from '../support/server.ts';
import { codeReport, trivyReport } from '../support/tool-reports.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';

interface Item extends Json {
  id: string;
  title: string;
  location: { id: string; reference: { ref: string } };
}

type Detail = Schemas['VulnerabilityDetail'];

const names = ['package', 'rule', 'advisory', 'fix', 'assignee', 'due', 'epss', 'open_on'];
const server = await createTestServer();
const { tenant, people } = await createTestWorkspace(server, 'acme');
const client = clientOf(server.app, people.admin.key);
const list = '/api/v1/acme/vulnerabilities';

await server.owner.query(
  `insert into kev (cve, added_on, vendor, product, name) values ('CVE-2030-1000', '2030-01-01', 'Acme', 'Shop', 'Injection')`,
);
await server.owner.query(
  `insert into epss (cve, score, percentile) values ('CVE-2030-1000', 0.94311, 0.9), ('CVE-2030-1001', 0.125, 0.5)`,
);
await applyAndEvaluate(
  server,
  tenant.id,
  policiesOf(
    policyOf('severe', "{fact: severity, operator: '>=', value: critical}", { window: '2d' }),
    policyOf('any', "{fact: type, operator: '==', value: dependency}", { mode: 'warn', window: '40d' }),
  ),
);
const packages = Array.from({ length: 8 }, (_, i) => ({
  id: `CVE-2030-${1000 + i}`,
  package: i % 2 === 0 ? `lib${i}` : `@acme/lib${i}`,
  severity: i < 2 ? ('CRITICAL' as const) : ('LOW' as const),
  title: `number ${i}`,
  version: `1.0.${i}`,
  ...(i % 3 === 0 ? { fixed: `1.1.${i}` } : {}),
}));
const code = codeReport([{ rule: 'sqli', title: 'in code', path: 'src/db.ts', line: 3, code: 'query(q)' }]);
const at = (days: number) => ({ scannedAt: new Date(Date.now() - days * 24 * 3600_000) });
await importAll(server, 'acme', [
  reportInput(trivyReport({ packages: packages.slice(0, 6) }), at(5)),
  reportInput(code, at(5)),
  // Packages 6 and 7 are on a branch alone. Package 5 is fixed on main and live there. Package 0 has another version
  // there.
  reportInput(
    trivyReport({ packages: packages.slice(4).concat({ ...packages[0], version: '0.9.0' } as never) }),
    {
      ...at(4),
      ref: 'feature/a',
    },
  ),
  reportInput(trivyReport({ packages: packages.slice(0, 5) }), { ...at(3), force: true }),
]);
const all = await walk<Item>(client, list);
const idOf = (title: string): string => all.find((item) => item.title === title)?.id ?? '';
for (const [title, assignee] of [
  ['number 2', people.member.user.email],
  ['in code', people.admin.user.email],
] as const) {
  const { status, text } = await client.patch(`${list}/${idOf(title)}/assignment`, { assignee });
  assert.equal(status, 200, text);
}

async function bodyOf(query: Record<string, string | number | undefined>): Promise<Page<Item>> {
  return succeeded(await client.get<Page<Item>>(`${list}${queryOf(query)}`));
}

/** The values that the other routes give for the vulnerability, at the location that the row shows. */
async function expected({ id, location }: Item): Promise<Json> {
  const { body: detail } = await client.get<Detail>(`${list}/${id}`);
  const locations = await walk<{ id: string; artifact: { purl: string } | null }>(
    client,
    `${list}/${id}/locations`,
    { scope: 'all' },
  );
  const { body: violations } = await client.get<{ items: { status: string; due_at: string }[] }>(
    `${list}/${id}/violations`,
  );
  const installed = locations.find((one) => one.id === location.id)?.artifact?.purl;
  const due = violations.items
    .filter(({ status }) => status === 'open' || status === 'pending_review')
    .map((one) => one.due_at)
    .toSorted()[0];
  const refs = detail.references.map(({ ref }) => ref);
  const isElsewhere = detail.references.length === 2 && id === idOf('number 5');
  return {
    package: detail.package && {
      purl: detail.package,
      name: detail.package.replace('pkg:npm/', '').replace('%40', '@'),
      version: installed?.split('@').at(-1) ?? null,
    },
    rule: detail.identifiers[0] ?? 'sqli',
    advisory: detail.identifiers[0] ?? null,
    fix: detail.fix_version && { fix_version: detail.fix_version },
    assignee: detail.assignee && { id: detail.assignee.id, name: detail.assignee.display_name },
    due: due === undefined ? null : { due_at: due },
    epss: { score: detail.epss?.score ?? null, kev: detail.kev !== null },
    open_on: {
      ref: location.reference.ref,
      is_default: location.reference.ref === 'main',
      reach: isElsewhere ? 'elsewhere' : refs.includes('main') ? 'tracked' : 'branches',
    },
  };
}

describe('include', () => {
  test('adds the values of the detail, the locations and the violations, in every scope and on every page', async () => {
    const seen = new Map(names.map((name) => [name, new Set<string>()]));
    for (const query of [{}, { ref: 'HEAD' }, { ref: 'feature/a' }, { repo: 'acme/shop', sort: 'newest' }]) {
      const items = await walk<Item>(client, list, { ...query, include: names.join(), per_page: 3 });
      assert.ok(items.length > 2);
      for (const item of items) {
        const shown = Object.fromEntries(names.map((name) => [name, item[name]]));
        assert.deepEqual(shown, await expected(item), `${JSON.stringify(query)} ${item.title}`);
        for (const name of names) seen.get(name)?.add(JSON.stringify(item[name]));
      }
    }
    for (const [name, values] of seen) assert.ok(values.size > 1, `${name} is always ${[...values]}`);
    const first = (await walk<Item>(client, list, { include: 'package' })).find(
      ({ id }) => id === idOf('number 0'),
    );
    assert.deepEqual(first?.package, { purl: 'pkg:npm/lib0', name: 'lib0', version: '1.0.0' });
    const reaches = [...(seen.get('open_on') ?? [])].map((text) => JSON.parse(text).reach);
    assert.deepEqual([...new Set(reaches)].toSorted(), ['branches', 'elsewhere', 'tracked']);
  });

  test('adds only the fields that are asked for, after the others, which stay as they are', async () => {
    const plain = await client.get<Page<Item>>(list);
    for (const requestedNames of [...names.map((name) => [name]), ['open_on', 'package', 'package'], names]) {
      const answer = await client.get<Page<Item>>(`${list}?include=${requestedNames.join()}`);
      for (const item of answer.body.items) {
        const added = Object.keys(item).slice(-new Set(requestedNames).size);
        assert.deepEqual(added.toSorted(), [...new Set(requestedNames)].toSorted());
      }
      const without = answer.body.items.map((item) =>
        Object.fromEntries(Object.entries(item).filter(([name]) => !requestedNames.includes(name))),
      );
      assert.equal(JSON.stringify({ ...answer.body, items: without }), plain.text, requestedNames.join());
    }
  });

  test('the field due agrees with the filter due', async () => {
    const hour = 3_600_000;
    const inHours = (hours: number): Date => new Date(Date.now() + hours * hour);
    await server.owner.query(
      `update policy_violation v set due_at = case t.title when 'number 0' then $1::timestamptz
         when 'number 1' then $2 else $3 end
         from vulnerability t where t.tenant_id = v.tenant_id and t.id = v.target_id`,
      [inHours(-1), inHours(6 * 24), inHours(30 * 24)],
    );
    const within = (item: Item): string => {
      const at = (item.due as { due_at: string } | null)?.due_at;
      const days = at === undefined ? Number.NaN : (Date.parse(at) - Date.now()) / 86_400_000;
      return days < 0 ? 'overdue' : days < 7 ? 'soon' : 'none';
    };
    for (const query of [{}, { ref: 'HEAD' }, { repo: 'acme/shop', severity: 'critical' }]) {
      const shown = await walk<Item>(client, list, { ...query, include: 'due' });
      for (const due of ['overdue', 'soon']) {
        const expected = shown.filter((item) => within(item) === due).map(({ id }) => id);
        assert.ok(expected.length > 0, due);
        const { items, ...rest } = await bodyOf({ ...query, due });
        assert.deepEqual(fieldOf(items, 'id'), expected);
        assert.equal((rest as unknown as { summary: { total: number } }).summary.total, expected.length);
      }
    }
    const reader = await createTestKey(server, {
      userId: people.viewer.user.id,
      role: 'viewer',
      scopes: ['vulnerabilities:read'],
    });
    const refused = await clientOf(server.app, reader.key).get(`${list}?due=overdue`);
    assert.equal(refused.status, 403);
  });

  test('may change from page to page', async () => {
    const first = await bodyOf({ per_page: 2, include: 'fix' });
    const plain = await bodyOf({ per_page: 2, cursor: first.next_cursor ?? '' });
    const second = await bodyOf({ per_page: 2, cursor: first.next_cursor ?? '', include: 'due,epss' });
    assert.deepEqual(
      second.items.map(({ due: _, epss: __, ...item }) => item),
      plain.items,
    );
  });

  test('an unknown name is refused with 422, and due without the scope of violations with 403', async () => {
    const unknown = await client.get(`${list}?include=fix,nonsense`);
    assert.deepEqual([unknown.status, unknown.body.code], [422, 'INVALID_FILTER_VALUE']);
    const { key } = await createTestKey(server, {
      userId: people.member.user.id,
      role: 'member',
      scopes: ['vulnerabilities:read'],
    });
    const reader = clientOf(server.app, key);
    const others = names.filter((name) => name !== 'due');
    assert.equal((await reader.get(`${list}?include=${others}`)).status, 200);
    const denied = await reader.get(`${list}?include=fix,due`);
    assert.deepEqual([denied.status, denied.body.code], [403, 'TOKEN_ABILITY_DENIED']);
    assert.match(String(denied.headers['www-authenticate']), /scope="policy-violations:read"/);
  });
});
