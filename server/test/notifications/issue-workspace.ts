/** A workspace for tests of issues in a tracker, with a clock that moves without waiting. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';
import { importTx } from '../../src/db/database.ts';
import { formatId, type VulnerabilityId } from '../../src/domain/ids.ts';
import type { SyncDependencies } from '../../src/notifications/issues/sync-issues.ts';
import { syncScheduler } from '../../src/notifications/issues/sync-loop.ts';
import type { TrackerInput } from '../../src/notifications/issues/tracker-input.ts';
import { createTracker } from '../../src/notifications/issues/tracker-service.ts';
import { networksOf } from '../../src/notifications/outbound/public-address.ts';
import { blockCritical, createPolicyWorkspace } from '../policies/policy-workspace.ts';
import { type Schemas, succeeded } from '../support/client.ts';
import {
  projectOf,
  type ServedKind,
  type StoredIssue,
  startTracker,
  type TrackerServer,
} from '../support/issue-tracker-server.ts';
import type { PackageResult } from '../support/reports.ts';
import { signInAs } from '../support/session.ts';

const allowed = networksOf(['127.0.0.0/8']);
export const minuteMs = 60_000;

export const npm = (name: string, cve: number, more: Partial<PackageResult> = {}): PackageResult => ({
  id: `CVE-2034-${cve}`,
  name,
  version: '1.0.0',
  severity: 'HIGH',
  fixed: '2.0.0',
  ...more,
});

type Issue = Schemas['LinkedIssue'];

export const pathOf = (vulnerability: string): string =>
  `/manage/v1/acme/vulnerabilities/${vulnerability}/issues`;

interface StoredTracker {
  enabled: boolean;
  disabled_reason: string | null;
  error: string | null;
  retry_at: Date | null;
}

interface CurrentTracker {
  /** The time of Merlon's side and of the trackers, in milliseconds. It moves without waiting. */
  clock: number;
  /** The tracker that the test has started last. It is closed after the test. */
  tracker: TrackerServer;
}

export async function createIssueWorkspace() {
  const { server, tenant, people, client, apply, scan, violations } = await createPolicyWorkspace({
    MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8',
  });
  const { db, secret, owner } = server;
  const rules = { secret, allowed, allowsHttp: true };
  await apply(blockCritical);
  const member = await signInAs(server, people.member.user.id);
  const current = { clock: Date.now() } as CurrentTracker;
  const now = (): Date => new Date(current.clock);

  beforeEach(() => {
    current.clock = Math.max(current.clock, Date.now()) + 1_000;
  });
  afterEach(async () => {
    await current.tracker.close();
    await owner.query('delete from issue_tracker');
    await scan([]);
  });

  async function use(kind: ServedKind, more: Partial<TrackerInput> = {}, user: string | null = null) {
    current.tracker = await startTracker(kind, { now, user });
    const input: TrackerInput = {
      name: 'Tracker',
      kind,
      url: current.tracker.url,
      project: projectOf[kind],
      token: current.tracker.token,
      ...(user === null ? {} : { user }),
      ...more,
    };
    const { row } = await importTx(db, tenant.id, (tx) =>
      createTracker(tx, { actorId: people.admin.user.id }, input, rules),
    );
    return formatId('issueTracker', row.id);
  }

  const dependencies = (failed: SyncDependencies['failed'] = assert.fail): SyncDependencies => ({
    db,
    secret,
    post: { allowed, usesSystemNames: true, timeoutMs: 1_000 },
    publicUrl: 'https://merlon.example.com',
    failed,
    now,
    random: () => 0.5,
  });

  /** Runs rounds until nothing is due at the time of the clock. */
  async function sync(failed?: SyncDependencies['failed']): Promise<void> {
    current.clock += 1_000;
    const scheduler = syncScheduler(dependencies(failed));
    await scheduler.poll();
    await scheduler.idle();
  }

  async function changeAsAdmin(trackerId: string, change: object) {
    const admin = await signInAs(server, people.admin.user.id);
    return admin.patch(`/manage/v1/acme/issue-trackers/${trackerId}`, change);
  }

  async function pass(ms: number): Promise<void> {
    current.clock += ms;
    await sync();
  }

  async function idOf(name: string, cve: number): Promise<string> {
    const { rows } = await owner.query<{ id: VulnerabilityId }>(
      'select id from vulnerability where package_name = $1 and advisory = $2',
      [name, `CVE-2034-${cve}`],
    );
    return formatId('vulnerability', rows[0]?.id ?? assert.fail(`no vulnerability of ${name}`));
  }

  async function requestIssue(vulnerability: string, trackerId: string, group = false) {
    return member.post<Issue>(pathOf(vulnerability), { tracker: trackerId, group });
  }

  async function make(vulnerability: string, trackerId: string, group = false): Promise<Issue> {
    return succeeded(await requestIssue(vulnerability, trackerId, group), 201);
  }

  /** A tracker with the issue of one vulnerability of the package alpha. */
  async function linkAlpha(...tracker: Parameters<typeof use>) {
    const trackerId = await use(...tracker);
    await scan([npm('alpha', 1)]);
    const vulnerability = await idOf('alpha', 1);
    await make(vulnerability, trackerId);
    await sync();
    return { trackerId, vulnerability };
  }

  async function issuesOf(vulnerability: string): Promise<Issue[]> {
    const body = succeeded(
      await member.get<{ items: Issue[] }>(`/console/api/v1/acme/vulnerabilities/${vulnerability}/issues`),
    );
    return body.items;
  }

  async function issueOf(vulnerability: string): Promise<Issue> {
    const [issue] = await issuesOf(vulnerability);
    return issue ?? assert.fail('no issue');
  }

  async function storedTracker(): Promise<StoredTracker> {
    const { rows } = await owner.query<StoredTracker>('select * from issue_tracker');
    return rows[0] ?? assert.fail('no tracker');
  }

  const only = (): StoredIssue => {
    assert.equal(current.tracker.issues.length, 1);
    return current.tracker.issues[0] ?? assert.fail('no issue');
  };

  return {
    server,
    tenant,
    people,
    client,
    apply,
    scan,
    violations,
    db,
    owner,
    rules,
    member,
    current,
    now,
    use,
    dependencies,
    sync,
    pass,
    changeAsAdmin,
    idOf,
    requestIssue,
    make,
    linkAlpha,
    issueOf,
    storedTracker,
    only,
  };
}
