/**
 * Two workspaces that look alike: same repositories, titles, commits and names, and each with something that only
 * it has. What belongs to the foreign one is collected from its rows, so that any answer can be searched for it.
 */
import { tenantTx } from '../../src/db/database.ts';
import { applyInventory } from '../../src/features/inventory/apply.ts';
import { learnNames } from '../../src/features/scans/import/advisories.ts';
import { askExceptions } from '../../src/features/violations/exceptions/exceptions.ts';
import { addComment } from '../../src/features/vulnerabilities/comments.ts';
import { formatId, isUuid, nilId } from '../../src/ids.ts';
import { importAll } from '../support/import.ts';
import { wantPolicies } from '../support/policies.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { codeReport, trivyReport } from '../support/tool-reports.ts';
import { createTestWorkspace, principalAs, reportInput, type TestWorkspace } from '../support/workspace.ts';
import { createManagedThings, type ManagedThings } from './managed-things.ts';

export interface Side extends TestWorkspace, ManagedThings {
  slug: string;
  /** A word that stands in names of this workspace and nowhere else. */
  mark: string;
  /** Ids of the API of things that both have, each its own. */
  organization: string;
  repository: string;
  reference: string;
  advisoryName: string;
  vulnerability: string;
  scan: string;
  stream: string;
  /** A vulnerability with so many places that each request can split one off. */
  splittable: { vulnerability: string; locations: string[] };
  member: string;
  memberEmail: string;
  application: string;
  policy: string;
  /** In acme/shop, on main. */
  violation: string;
  exception: string;
  /** Exceptions that wait for a review: each request takes another. */
  reviewable: string[];
  /** As many to be withdrawn. */
  withdrawable: string[];
  /** On `vulnerability`. */
  comment: string;
  /** As many more: each request deletes another. */
  deletable: string[];
}

export interface World {
  server: TestServer;
  home: Side;
  foreign: Side;
}

export const sharedSha = 'c0ffee0123456789abcdef0123456789abcdef01';

export async function createWorld(): Promise<World> {
  const server = await createTestServer();
  const home = await createSide(server, 'home', 'wrenhouse', 1);
  // More of everything, so that a count that leaks is another number.
  const foreign = await createSide(server, 'foreign', 'zebrafinch', 7);
  return { server, home, foreign };
}

async function createSide(server: TestServer, slug: string, mark: string, more: number): Promise<Side> {
  const workspace = await createTestWorkspace(server, slug);
  await tenantTx(server.db, workspace.tenant.id, (tx) =>
    applyInventory(tx, workspace.tenant.id, {
      organizations: [
        { full_path: 'acme', name: 'Acme', external_id: '1001' },
        { full_path: 'acme/team', parent: 'acme', external_id: '1002' },
        ...many(more, (i) => ({ full_path: `${mark}-${i}` })),
      ],
      repositories: [
        {
          full_name: 'acme/shop',
          source: 'ghc',
          external_id: '2001',
          default_branch: 'main',
          settings: { branch_protection: false },
        },
        { full_name: 'acme/team/api', source: 'gitlab', external_id: '2002' },
        ...many(more, (i) => ({ full_name: `${mark}-${i}/only`, source: 'ghe' as const })),
      ],
      applications: [
        { name: 'Storefront', description: 'The shop', repositories: ['acme/shop'] },
        { name: 'Back office' },
        ...many(more, (i) => ({ name: `${mark} ${i}` })),
      ],
    }),
  );
  await wantPolicies(server, workspace.tenant.id, policiesOf(mark));
  const packages = [
    { id: 'CVE-2030-1001', package: 'lodash', severity: 'HIGH', title: 'lodash: prototype pollution' },
    { id: 'CVE-2030-1002', package: 'minimist', severity: 'LOW', title: 'minimist: bad parsing' },
  ] as const;
  const scans = await importAll(server, slug, [
    reportInput(trivyReport({ packages: [...packages] }), { sha: sharedSha }),
    reportInput(trivyReport({ packages: [...packages] }), { sha: sharedSha, ref: 'feature/a' }),
    reportInput(
      codeReport([{ rule: 'sqli', title: 'SQL from a request', path: 'src/db.ts', code: 'query(req.q)' }]),
      { sha: sharedSha },
    ),
    reportInput(
      trivy(
        many(40, (i) => ({
          id: 'CVE-2030-1003',
          name: 'tar',
          version: '1.0.0',
          path: `app-${i}/package-lock.json`,
        })),
      ),
      { repository: 'acme/team/api' },
    ),
    reportInput(partsList(), { repository: 'acme/team/api' }),
    ...many(more, (i) =>
      reportInput(
        trivyReport({
          packages: [
            {
              id: `CVE-2031-${2000 + i}`,
              package: `${mark}-lib-${i}`,
              severity: 'CRITICAL',
              title: `${mark} ${i}`,
            },
          ],
        }),
        { repository: `${mark}-${i}/only`, ref: i % 2 === 0 ? 'main' : mark },
      ),
    ),
  ]);
  const tenantId = workspace.tenant.id;
  await tenantTx(server.db, tenantId, (tx) =>
    learnNames(
      tx,
      tenantId,
      many(more + 1, (i) => ({ alias: `${mark}-name-${i}`, advisory: 'CVE-2030-1001' })),
      { repositoryId: nilId, scanId: scans[0]?.id ?? nilId, userId: null, trusted: true },
    ),
  );
  const one = async (sql: string): Promise<string> => {
    const { rows } = await server.owner.query<{ id: string }>(sql, [tenantId]);
    const [row] = rows;
    if (!row) throw new Error(`nothing found by ${sql}`);
    return row.id;
  };
  const [scan] = scans;
  if (!scan) throw new Error('nothing was imported');
  const { user } = workspace.people.member;
  const exceptions = await askForParts(server, workspace);
  const vulnerability = formatId(
    'vulnerability',
    await one(`select id from vulnerability where tenant_id = $1 and package = 'pkg:npm/lodash'`),
  );
  const comments = await comment(server, workspace, vulnerability);
  return {
    ...workspace,
    ...(await createManagedThings(server, workspace)),
    slug,
    mark,
    organization: formatId(
      'organization',
      await one(`select id from organization where tenant_id = $1 and path_key = 'acme'`),
    ),
    repository: formatId(
      'repository',
      await one(`select id from repository where tenant_id = $1 and name_key = 'acme/shop'`),
    ),
    reference: formatId(
      'reference',
      await one(
        `select f.id from reference f join repository r on r.tenant_id = $1 and r.id = f.repository_id
          where f.tenant_id = $1 and r.name_key = 'acme/shop' and f.full_ref = 'refs/heads/main'`,
      ),
    ),
    advisoryName: formatId(
      'advisoryName',
      await one('select id from advisory_alias where tenant_id = $1 order by alias limit 1'),
    ),
    vulnerability,
    scan: formatId('scan', scan.id),
    stream: formatId('stream', await one(`select id from stream where tenant_id = $1 and tool = 'semgrep'`)),
    splittable: await splittable(server, tenantId),
    member: formatId('user', user.id),
    memberEmail: user.email,
    application: formatId(
      'application',
      await one(`select id from application where tenant_id = $1 and name = 'Storefront'`),
    ),
    policy: formatId('policy', await one(`select id from policy where tenant_id = $1 and key = 'severe'`)),
    violation: formatId(
      'violation',
      await one(
        `select v.id from policy_violation v join policy p on p.id = v.policy_id join vulnerability w on w.id = v.target_id
          where v.tenant_id = $1 and p.key = 'severe' and w.package = 'pkg:npm/lodash'`,
      ),
    ),
    exception: exceptions[0] ?? '',
    reviewable: exceptions.slice(1, 1 + pool),
    withdrawable: exceptions.slice(1 + pool),
    comment: comments[0] ?? '',
    deletable: comments.slice(1),
  };
}

/** The first blocks in both workspaces alike; another each has for itself. */
function policiesOf(mark: string): string {
  return `
policies:
  - key: severe
    target_type: vulnerability
    enforcement_mode: block
    condition: {all: [{fact: severity, operator: '>=', value: high}]}
    rules: [{type: org, id: acme}, {type: repo, id: ${mark}-0/only, enforcement_mode: warn}]
  - key: any
    target_type: vulnerability
    enforcement_mode: warn
    condition: {all: [{fact: type, operator: '==', value: dependency}]}
  - key: parts
    target_type: package
    enforcement_mode: warn
    condition: {all: [{fact: name, operator: matches, value: 'part-*'}]}
  - key: protection
    target_type: provider
    enforcement_mode: monitor
    condition: {all: [{fact: value, operator: '==', value: 'false'}]}
  - key: ${mark}-only
    name: ${mark}
    target_type: analysis
    enforcement_mode: monitor
    condition: {all: [{fact: analysis_type, operator: '==', value: sast}]}
`;
}

// More than the requests of one test file that get through.
const pool = 40;

function partsList(): object {
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: many(1 + 2 * pool, (i) => ({
      type: 'library',
      name: `part-${i}`,
      version: '1.0.0',
      purl: `pkg:npm/part-${i}@1.0.0`,
    })),
  };
}

/** One exception for each part, by the member. */
async function askForParts(server: TestServer, workspace: TestWorkspace): Promise<string[]> {
  const { rows } = await server.owner.query<{ id: string }>(
    `select v.id from policy_violation v join policy p on p.tenant_id = v.tenant_id and p.id = v.policy_id
      where v.tenant_id = $1 and p.key = 'parts' order by v.id`,
    [workspace.tenant.id],
  );
  const violations = rows.map(({ id }) => formatId('violation', id));
  const asked = await tenantTx(server.db, workspace.tenant.id, (tx) =>
    askExceptions(tx, principalAs(workspace, 'member'), { violations, reason: 'Known.' }, 'test'),
  );
  return asked.map(({ id }) => formatId('override', id)).sort();
}

/** By the member, one more than are deleted. */
async function comment(
  server: TestServer,
  workspace: TestWorkspace,
  vulnerability: string,
): Promise<string[]> {
  const principal = principalAs(workspace, 'member');
  return tenantTx(server.db, workspace.tenant.id, async (tx) => {
    const ids: string[] = [];
    for (let i = 0; i <= pool; i++) {
      const row = await addComment(tx, principal, vulnerability, `Looked at ${i} times.`, 'test');
      ids.push(formatId('comment', row.id));
    }
    return ids;
  });
}

async function splittable(server: TestServer, tenantId: string): Promise<Side['splittable']> {
  const { rows } = await server.owner.query<{ id: string; locations: string[] }>(
    `select v.id, array_agg(l.id order by l.id) as locations
       from vulnerability v join vulnerability_location l on l.vulnerability_id = v.id
      where v.tenant_id = $1 and v.package = 'pkg:npm/tar' group by v.id`,
    [tenantId],
  );
  const [row] = rows;
  if (!row) throw new Error('there is no vulnerability to split');
  return {
    vulnerability: formatId('vulnerability', row.id),
    locations: row.locations.map((id) => formatId('location', id)),
  };
}

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Tables with a column `tenant_id`, from the catalog. */
export async function tenantTables(server: TestServer): Promise<string[]> {
  const { rows } = await server.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
      where n.nspname = 'public' and c.relkind in ('r', 'p') order by 1`,
  );
  return rows.map((row) => row.name);
}

/** Every UUID in the rows of a workspace but not in those of the other: its ids, as they stand in the database. */
export async function ownUuids(server: TestServer, side: Side, other: Side): Promise<Set<string>> {
  const uuidsOf = async (tenantId: string): Promise<Set<string>> => {
    const found = new Set<string>([tenantId]);
    for (const table of await tenantTables(server)) {
      const { rows } = await server.owner.query<Record<string, unknown>>(
        `select * from ${table} where tenant_id = $1`,
        [tenantId],
      );
      for (const value of rows.flatMap((row) => Object.values(row))) {
        if (typeof value === 'string' && isUuid(value)) found.add(value);
      }
    }
    return found;
  };
  const theirs = await uuidsOf(side.tenant.id);
  for (const uuid of await uuidsOf(other.tenant.id)) theirs.delete(uuid);
  return theirs;
}

/** What of the foreign workspace stands in the text: UUIDs, ids of the API, its mark, e-mails, its name. */
export function leaksIn(text: string, foreignUuids: ReadonlySet<string>, foreign: Side): string[] {
  const encoded = new Map([...foreignUuids].map((uuid) => [formatId('user', uuid).slice(-26), uuid]));
  const ids = [...text.matchAll(/(?<=_)[0-9a-hjkmnp-tv-z]{26}\b/g)].map(([id]) => id);
  const uuids = [...text.matchAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi)].map(([id]) =>
    id.toLowerCase(),
  );
  return [
    ...ids.filter((id) => encoded.has(id)),
    ...uuids.filter((uuid) => foreignUuids.has(uuid)),
    ...[foreign.mark, `@${foreign.slug}.example`, foreign.tenant.name].filter((word) => text.includes(word)),
  ];
}
