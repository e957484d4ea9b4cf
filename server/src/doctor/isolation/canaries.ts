/**
 * Two workspaces that look alike: they have the same repositories, titles, commits and names, and each has some objects
 * of its own.
 */

import { recordCraSteps } from '../../actions/cra/record-steps.ts';
import { applyInventory } from '../../actions/inventory-file/apply.ts';
import { importTx, tenantTx } from '../../db/database.ts';
import {
  formatId,
  type Id,
  type IdKind,
  type LocationId,
  nilId,
  type TenantId,
  type ViolationId,
  type VulnerabilityId,
} from '../../domain/ids.ts';
import { learnNames } from '../../ingest/import/learned-names.ts';
import { importFiles } from '../../ingest/upload/import-files.ts';
import { changeApplication } from '../../inventory/applications/service.ts';
import { requestIssue } from '../../notifications/issues/linked-issue-service.ts';
import { applyPolicies } from '../../policies/definition/apply.ts';
import { parsePolicies } from '../../policies/definition/document.ts';
import { evaluatePolicies } from '../../policies/evaluation/evaluate-policies.ts';
import { requestExceptions } from '../../policies/exceptions/exceptions.ts';
import { addComment } from '../../vulnerabilities/comments.ts';
import { listedComponents, many, reportsOf, shaOf } from './canary-reports.ts';
import { type CanaryWorkspace, createCanaryWorkspace, principalAs } from './canary-workspace.ts';
import type { Install } from './install.ts';
import { createManagedObjects, type ManagedObjects } from './managed-objects.ts';

export interface Side extends CanaryWorkspace, ManagedObjects {
  slug: string;
  /** A text that is in names of this workspace and nowhere else. */
  mark: string;
  /** A commit that was scanned in this workspace and in no other. */
  sha: string;
  /** API ids of objects of which each workspace has exactly one. */
  organization: string;
  repository: string;
  reference: string;
  advisoryName: string;
  vulnerability: string;
  scan: string;
  /** A package with its only version. */
  package: string;
  packageVersion: string;
  series: string;
  /** A vulnerability with enough locations that each request can split one off. */
  splittable: { vulnerability: string; locations: string[] };
  member: string;
  memberEmail: string;
  application: string;
  policy: string;
  /** A violation in acme/shop, on main. */
  violation: string;
  exception: string;
  /** Exceptions that wait for a review. Each request uses up one of them. */
  reviewable: string[];
  /** Further exceptions. Each request withdraws one of them. */
  withdrawable: string[];
  /** A comment on `vulnerability`. */
  comment: string;
  /** Further comments. Each request deletes one of them. */
  deletable: string[];
  /** Issues of `vulnerability`, each in a tracker of its own. Each request unlinks one of them. */
  linkedIssues: string[];
}

export interface World<I extends Install = Install> {
  server: I;
  home: Side;
  foreign: Side;
}

interface Names {
  slug: string;
  mark: string;
}

/**
 * Makes both workspaces. `beforeForeign` runs when home is full and the other workspace has only its people. What
 * home reads at that moment must not change when the other one is full.
 */
export async function createCanaries<I extends Install>(
  server: I,
  names: { home: Names; foreign: Names; canary: boolean },
  beforeForeign: (home: Side, foreign: CanaryWorkspace) => Promise<void> = async () => {},
): Promise<World<I>> {
  const homePeople = await createCanaryWorkspace(server, names.home.slug, names);
  const foreignPeople = await createCanaryWorkspace(server, names.foreign.slug, names);
  const home = await fill(server, homePeople, names.home.mark, 1, 'refs/tags/release');
  await beforeForeign(home, foreignPeople);
  // The foreign workspace has more of everything, so that a count that leaks gives a different number.
  const foreign = await fill(server, foreignPeople, names.foreign.mark, 7, 'refs/heads/release');
  return { server, home, foreign };
}

async function fill(
  server: Install,
  workspace: CanaryWorkspace,
  mark: string,
  more: number,
  release: string,
): Promise<Side> {
  const { slug } = workspace.tenant;
  await tenantTx(server.db, workspace.tenant.id, (tx) =>
    applyInventory(tx, {
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
        { name: 'Storefront', description: `The shop of ${mark}`, repositories: ['acme/shop'] },
        { name: 'Back office' },
        ...many(more, (i) => ({ name: `${mark} ${i}` })),
      ],
    }),
  );
  const boss = await server.queue.open();
  const tenantId = workspace.tenant.id;
  const policies = parsePolicies(policiesOf(mark));
  await importTx(server.db, tenantId, (tx) => applyPolicies(tx, boss, policies, { actorId: null }));
  await evaluatePolicies(server.db, tenantId);
  const scans = await importFiles(
    { ...server, boss, log: console.error },
    slug,
    reportsOf(mark, more, release),
  );
  await tenantTx(server.db, tenantId, (tx) =>
    learnNames(
      tx,
      many(more + 1, (i) => ({ alias: `${mark}-name-${i}`, advisory: 'CVE-2030-1001' })),
      { id: scans[0]?.id ?? nilId, repository_id: nilId, uploaded_by: null, may_override_policy: true },
    ),
  );
  const one = async <Kind extends IdKind>(sql: string): Promise<Id<Kind>> => {
    const [row] = await tenantTx(server.db, tenantId, (tx) => tx.query<{ id: Id<Kind> }>(sql, [tenantId]));
    if (!row) throw new Error(`nothing found by ${sql}`);
    return row.id;
  };
  const [scan] = scans;
  if (!scan) throw new Error('nothing was imported');
  const { user } = workspace.people.member;
  const exceptions = await requestExceptionsForComponents(server, workspace);
  const vulnerability = formatId(
    'vulnerability',
    await one(`select id from vulnerability where tenant_id = $1 and package = 'pkg:npm/lodash'`),
  );
  const comments = await comment(server, workspace, vulnerability);
  const application = formatId(
    'application',
    await one(`select id from application where tenant_id = $1 and name = 'Storefront'`),
  );
  await tenantTx(server.db, tenantId, async (tx) => {
    await changeApplication(tx, principalAs(workspace, 'admin'), application, { product: true });
    const given = { aware_at: new Date('2025-01-01T00:00:00Z') };
    for (const cve of ['CVE-2030-1001', 'CVE-2030-1002']) {
      const steps = { application, cve, version: 0, given };
      await recordCraSteps(tx, principalAs(workspace, 'admin'), steps, new Date());
    }
  });
  const managed = await createManagedObjects(server, workspace);
  return {
    ...workspace,
    ...managed,
    slug,
    mark,
    sha: shaOf(mark),
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
    package: formatId(
      'package',
      await one(`select id from package where tenant_id = $1 and purl = 'pkg:npm/part-0'`),
    ),
    packageVersion: formatId(
      'packageVersion',
      await one(`select id from package_version where tenant_id = $1 and purl = 'pkg:npm/part-0@1.0.0'`),
    ),
    series: formatId(
      'series',
      await one(`select id from scan_series where tenant_id = $1 and tool = 'semgrep'`),
    ),
    splittable: await splittable(server, tenantId),
    member: formatId('user', user.id),
    memberEmail: user.email,
    application,
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
    linkedIssues: await linkIssues(server, workspace, vulnerability, managed.issueTrackers),
  };
}

/** Both workspaces have the first policy, which blocks. Each has another policy of its own. */
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

// This is more than the number of requests of one walk that succeed.
const pool = (listedComponents - 1) / 2;

/** The member requests one exception for each listed component. */
async function requestExceptionsForComponents(
  server: Install,
  workspace: CanaryWorkspace,
): Promise<string[]> {
  const rows = await tenantTx(server.db, workspace.tenant.id, (tx) =>
    tx.query<{ id: ViolationId }>(
      `select v.id from policy_violation v join policy p on p.tenant_id = v.tenant_id and p.id = v.policy_id
        where v.tenant_id = $1 and p.key = 'parts' order by v.id`,
      [workspace.tenant.id],
    ),
  );
  const violations = rows.map(({ id }) => formatId('violation', id));
  const requested = await tenantTx(server.db, workspace.tenant.id, (tx) =>
    requestExceptions(tx, principalAs(workspace, 'member'), { violations, reason: 'Known.' }),
  );
  return requested.map(({ id }) => formatId('exception', id)).sort();
}

/** The member writes one comment more than the walk deletes. */
async function comment(
  server: Install,
  workspace: CanaryWorkspace,
  vulnerability: string,
): Promise<string[]> {
  const principal = principalAs(workspace, 'member');
  return tenantTx(server.db, workspace.tenant.id, async (tx) => {
    const ids: string[] = [];
    for (let i = 0; i <= pool; i++) {
      const row = await addComment(tx, principal, vulnerability, `Looked at ${i} times.`);
      ids.push(formatId('comment', row.id));
    }
    return ids;
  });
}

/** The member has an issue for the vulnerability made in half of the trackers; the walk deletes the others. */
async function linkIssues(
  server: Install,
  workspace: CanaryWorkspace,
  vulnerability: string,
  trackers: string[],
): Promise<string[]> {
  const principal = principalAs(workspace, 'member');
  return tenantTx(server.db, workspace.tenant.id, async (tx) => {
    const ids: string[] = [];
    for (const tracker of trackers.slice(0, trackers.length / 2)) {
      const row = await requestIssue(tx, principal, vulnerability, { tracker, group: false });
      ids.push(formatId('linkedIssue', row.id));
    }
    return ids;
  });
}

async function splittable(server: Install, tenantId: TenantId): Promise<Side['splittable']> {
  const [row] = await tenantTx(server.db, tenantId, (tx) =>
    tx.query<{ id: VulnerabilityId; locations: LocationId[] }>(
      `select v.id, array_agg(l.id order by l.id) as locations
         from vulnerability v join vulnerability_location l on l.vulnerability_id = v.id
        where v.tenant_id = $1 and v.package = 'pkg:npm/tar' group by v.id`,
      [tenantId],
    ),
  );
  if (!row) throw new Error('there is no vulnerability to split');
  return {
    vulnerability: formatId('vulnerability', row.id),
    locations: row.locations.map((id) => formatId('location', id)),
  };
}

const unknown = (id: string): string => id.replace(/.{6}$/, '000000');

/** Names and ids in the form of that workspace's own, for objects that do not exist. */
export function nobodyLike(side: Side): Side {
  return {
    ...side,
    slug: 'nobody',
    mark: 'nobody',
    sha: shaOf('nobody'),
    organization: unknown(side.organization),
    repository: unknown(side.repository),
    vulnerability: unknown(side.vulnerability),
    scan: unknown(side.scan),
    series: unknown(side.series),
    splittable: {
      vulnerability: unknown(side.splittable.vulnerability),
      locations: side.splittable.locations.map(unknown),
    },
    member: unknown(side.member),
    memberEmail: 'nobody@nowhere.example',
    leavers: side.leavers.map(unknown),
    workspaceKey: unknown(side.workspaceKey),
    ownKey: unknown(side.ownKey),
    invitations: side.invitations.map(unknown),
    spareApplications: side.spareApplications.map(unknown),
    savedViews: side.savedViews.map(unknown),
    teams: side.teams.map(unknown),
    trustRules: side.trustRules.map(unknown),
    webhooks: side.webhooks.map(unknown),
    issueTrackers: side.issueTrackers.map(unknown),
    linkedIssues: side.linkedIssues.map(unknown),
    application: unknown(side.application),
    policy: unknown(side.policy),
    violation: unknown(side.violation),
    exception: unknown(side.exception),
    comment: unknown(side.comment),
  };
}
