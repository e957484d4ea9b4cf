/**
 * Random events of a repository, applied to the real system: reports of eight scanners on several references,
 * documents, decisions, assignments, splits, merges, retired series, loads of scores, clock steps, and changes of the
 * references themselves. This file checks nothing.
 */
import fc from 'fast-check';
import { changeRepository } from '../../src/actions/repositories/change-repository.ts';
import { changeReference } from '../../src/actions/repositories/describe-reference.ts';
import { setTrackedBranches } from '../../src/actions/repositories/tracked-branches.ts';
import { assignVulnerability } from '../../src/actions/triage/assignments.ts';
import { type Action, decide } from '../../src/actions/triage/decisions.ts';
import { mergeByHand, splitByHand } from '../../src/actions/triage/split-merge.ts';
import { undo } from '../../src/actions/triage/undo.ts';
import { importTx, tenantTx } from '../../src/db/database.ts';
import { DomainError } from '../../src/domain/domain-error.ts';
import { formatId, type Id, type IdKind, type LocationId } from '../../src/domain/ids.ts';
import { statusOf } from '../../src/http/error-answers.ts';
import { retireSeries } from '../../src/ingest/series/scan-series.ts';
import { emptyOldReferences } from '../../src/retention/old-references.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import type { TestDatabase } from '../support/database.ts';
import { evaluateChanges, loadScores } from '../support/epss.ts';
import { importAll } from '../support/import.ts';
import { type CodeResult, sarif, trivy } from '../support/reports.ts';
import {
  gitleaks,
  grype,
  npmAudit,
  openvex,
  osvScanner,
  trivySecrets,
  type VexRow,
} from '../support/scanner-reports.ts';
import { type principalAs, reportInput, type TestWorkspace } from '../support/workspace.ts';

/** `advisory` is one of three in the history. A tool knows it by one name or by both. */
const packageRow = fc.record({
  advisory: fc.nat({ max: 2 }),
  name: fc.constantFrom('left', 'right'),
  version: fc.constantFrom('1.0.0', '1.1.0'),
  severity: fc.constantFrom('low' as const, 'high' as const),
  fixed: fc.constantFrom('1.2.0', '2.0.0'),
  names: fc.constantFrom('cve' as const, 'ghsa' as const, 'both' as const),
});
type PackageRow = typeof packageRow extends fc.Arbitrary<infer T> ? T : never;

const codeRow = fc.record(
  {
    rule: fc.constantFrom('sqli', 'xss'),
    path: fc.constantFrom('src/a.ts', 'src/b.ts'),
    line: fc.integer({ min: 1, max: 120 }),
    code: fc.constantFrom('eval(x)', 'run(y)'),
    fingerprint: fc.constantFrom('a'.repeat(4) + '0'.repeat(36), 'b'.repeat(4) + '1'.repeat(36)),
    suppressed: fc.constantFrom<boolean | 'external'>(true, false, 'external'),
    level: fc.constantFrom('error' as const, 'note' as const),
  },
  { requiredKeys: ['rule', 'path', 'line'] },
) as fc.Arbitrary<CodeResult>;

const secretRow = fc.record({
  path: fc.constantFrom('a.env', 'b.env'),
  line: fc.integer({ min: 1, max: 3 }),
  secret: fc.constantFrom('tok_9fK2mQ7xLw8RzT4v', 'tok_3hB6nY1cVp5JsD0e'),
});
type SecretRow = typeof secretRow extends fc.Arbitrary<infer T> ? T : never;

const vexRow = fc.record({
  advisory: fc.nat({ max: 2 }),
  status: fc.constantFrom<VexRow['status']>('not_affected', 'affected', 'fixed', 'under_investigation'),
  names: fc.constantFrom('cve' as const, 'ghsa' as const),
});
type VexChoice = typeof vexRow extends fc.Arbitrary<infer T> ? T : never;

const rows = <T>(row: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(row, { maxLength: 6 });

const packageTools = ['trivy', 'grype', 'osv-scanner', 'npm-audit'] as const;

/** Rows of one scanner. `createReport` writes them. */
export const packageScan = fc.record({ tool: fc.constantFrom(...packageTools), rows: rows(packageRow) });
export const secretScan = fc.record({
  tool: fc.constantFrom('gitleaks' as const, 'trivy-secrets' as const),
  rows: rows(secretRow),
});
const codeScan = fc.record({ tool: fc.constant('semgrep' as const), rows: rows(codeRow) });
export const scan = fc.oneof(packageScan, packageScan, codeScan, secretScan);
export type Scan = typeof scan extends fc.Arbitrary<infer T> ? T : never;

/** EPSS scores of the advisories of the history. */
export const loadOfScores = fc.record({
  kind: fc.constant('scores' as const),
  scores: fc.array(fc.constantFrom(0, 0.05, 0.1, 0.55, 0.7, 1), { minLength: 1, maxLength: 3 }),
});

export const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('import' as const),
      scan,
      ref: fc.constantFrom('main', 'main', 'feature', 'release', 'refs/pull/7/head'),
      category: fc.constantFrom(null, null, 'other'),
      partial: fc.boolean(),
      mayDecide: fc.boolean(),
      late: oneIn(10),
      dryRun: oneIn(10),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('vex' as const),
      rows: rows(vexRow),
      ref: fc.constantFrom('main', 'feature'),
      mayDecide: fc.boolean(),
      dated: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('decide' as const),
      action: fc.constantFrom<Action>('accept', 'ignore', 'reject', 'confirm', 'reopen'),
      which: fc.nat(),
      ends: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('assign' as const), which: fc.nat(), clear: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), which: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('split' as const), which: fc.nat(), place: fc.nat() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), which: fc.nat(), other: fc.nat() }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('retire' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: loadOfScores },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('sweep' as const), days: fc.integer({ min: 0, max: 45 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reference' as const),
      act: fc.constantFrom('delete', 'make default', 'deploy', 'leave alone as tracked', 'empty'),
      ref: fc.constantFrom('main', 'feature', 'release', 'refs/pull/7/head'),
    }),
  },
);
export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 0, max: n - 1 }).map((value) => value === 0);
}

/**
 * The repository and references of a history. `number` separates its advisories from those of all others, because
 * learned names are kept permanently.
 */
export interface Place {
  database: TestDatabase;
  workspace: TestWorkspace;
  principal: ReturnType<typeof principalAs>;
  repository: string;
  number: number;
}

/** Does one step at this time. A refused request of a person is not an error. */
export async function takeStep(place: Place, one: Step, clock: Date): Promise<void> {
  const { database, workspace, principal, number } = place;
  const { db } = database;
  const tenantId = workspace.tenant.id;
  if (one.kind === 'import') {
    const { scan: what, ref, category, partial, mayDecide, dryRun } = one;
    const scannedAt = new Date(clock.getTime() - (one.late ? 48 * 3_600_000 : 0));
    const report = createReport(what, number);
    await take(place, report, { ...formatOf(what), ref, category, partial, mayDecide, dryRun, scannedAt });
  } else if (one.kind === 'vex') {
    const document = openvex(
      one.rows.map((row) => vexOf(row, number)),
      one.dated ? clock : null,
    );
    await take(place, document, { ref: one.ref, mayDecide: one.mayDecide, scannedAt: clock });
  } else if (one.kind === 'sweep') {
    await sweepTenant(db, tenantId, new Date(clock.getTime() + one.days * 24 * 3_600_000), 30);
  } else if (one.kind === 'scores') {
    await loadScores(
      database,
      one.scores.map((score, advisory) => [cve(number, advisory), score]),
    );
    await evaluateChanges(database, tenantId);
  } else if (one.kind === 'reference') {
    await changeReferences(place, one);
  } else if (one.kind === 'retire') {
    const seriesList = await listIds(place, 'scan_series');
    const chosen = seriesList[one.which % Math.max(1, seriesList.length)];
    if (chosen === undefined) return;
    await importTx(db, tenantId, (tx) => retireSeries(tx, formatId('series', chosen), { actorId: null }));
  } else {
    const ids = await listIds(place, 'vulnerability');
    const id = ids[one.which % Math.max(1, ids.length)];
    if (id === undefined) return;
    const vulnerability = formatId('vulnerability', id);
    if (one.kind === 'assign') {
      await assignVulnerability(db, principal, vulnerability, { assignee: one.clear ? null : 'me' });
    } else if (one.kind === 'undo') {
      const { rows: now } = await database.owner.query<{ version: string }>(
        'select status_version::text as version from vulnerability where id = $1',
        [id],
      );
      const named = [{ id: vulnerability, status_version: now[0]?.version ?? '' }];
      await unlessRefused(() => undo(db, principal, named));
    } else if (one.kind === 'decide') {
      const ends = one.action === 'accept' && one.ends;
      const until = ends ? { until: new Date(Date.now() + 3_600_000).toISOString() } : {};
      const decision = {
        action: one.action,
        reason: 'because',
        ...until,
        vulnerabilities: [{ id: vulnerability }],
      };
      await decide(db, principal, decision);
      // Half of the acceptances with an end have ended for the sweeps of later steps.
      if (ends && one.which % 2 === 0) {
        const end = new Date(clock.getTime() + 10 * 24 * 3_600_000);
        await database.owner.query('update vulnerability set accepted_until = $2 where id = $1', [id, end]);
      }
    } else if (one.kind === 'merge') {
      const others = [formatId('vulnerability', ids[one.other % ids.length] ?? id)];
      const merge = { into: vulnerability, others, reason: 'the same' };
      await unlessRefused(() => importTx(db, tenantId, (tx) => mergeByHand(tx, merge, { actorId: null })));
    } else {
      const { rows: found } = await database.owner.query<{ id: LocationId }>(
        'select id from vulnerability_location where vulnerability_id = $1 order by id',
        [id],
      );
      const locations = [formatId<IdKind>('location', found[one.place % found.length]?.id ?? id)];
      const split = { vulnerability, locations, reason: 'another' };
      await unlessRefused(() => importTx(db, tenantId, (tx) => splitByHand(tx, split, { actorId: null })));
    }
  }
}

/** The default branch ends last, and only a branch can become the default one. */
async function changeReferences(
  { database: { db, owner }, workspace, principal, repository }: Place,
  { act, ref }: Extract<Step, { kind: 'reference' }>,
): Promise<void> {
  const tenantId = workspace.tenant.id;
  const { rows } = await owner.query<{ id: Id<'reference'>; repository_id: Id<'repository'> }>(
    `select f.id, f.repository_id from reference f join repository r on r.id = f.repository_id
      where r.full_name = $1 and f.full_ref in ($2, 'refs/heads/' || $2)`,
    [repository, ref],
  );
  const [found] = rows;
  if (found === undefined) return;
  const ofRepository = formatId('repository', found.repository_id);
  const reference = formatId('reference', found.id);
  await unlessRefused(async () => {
    if (act === 'delete') {
      await tenantTx(db, tenantId, (tx) => changeReference(tx, principal, reference, { deleted: true }));
    } else if (act === 'deploy') {
      await tenantTx(db, tenantId, (tx) =>
        changeReference(tx, principal, reference, { environment: 'shop' }),
      );
    } else if (act === 'make default') {
      await tenantTx(db, tenantId, (tx) =>
        changeRepository(tx, principal, ofRepository, { default_branch: ref }),
      );
    } else if (act === 'empty') {
      await emptyOldReferences(db, tenantId, new Date());
    } else {
      await tenantTx(db, tenantId, (tx) => setTrackedBranches(tx, principal, ofRepository, [ref]));
    }
  });
}

async function unlessRefused(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof DomainError) || statusOf(error) >= 500) throw error;
  }
}

/** Throws if the scan fails. */
export async function take(
  { database, workspace, repository }: Pick<Place, 'database' | 'workspace' | 'repository'>,
  report: unknown,
  overrides: Parameters<typeof reportInput>[1],
): Promise<void> {
  const [done] = await importAll(database, workspace.tenant.slug, [
    reportInput(report, { repository, ...overrides }),
  ]);
  if (done?.error !== null) throw new Error(JSON.stringify(done?.error));
}

type IdOf<Table> = Id<Table extends 'scan_series' ? 'series' : 'vulnerability'>;

export async function listIds<Table extends 'vulnerability' | 'scan_series'>(
  { database, repository }: Pick<Place, 'database' | 'repository'>,
  table: Table,
): Promise<IdOf<Table>[]> {
  const found = await database.owner.query<{ id: IdOf<Table> }>(
    `select t.id from ${table} t join repository r on r.id = t.repository_id where r.full_name = $1 order by t.id`,
    [repository],
  );
  return found.rows.map((row) => row.id);
}

/** An empty list does not identify its format. */
export function formatOf({ tool }: Scan): { format: string } {
  return { format: tool === 'gitleaks' ? 'gitleaks' : 'auto' };
}

export function createReport(what: Scan, number: number): unknown {
  if (what.tool === 'semgrep') return sarif(what.rows as CodeResult[]);
  if (what.tool === 'gitleaks') {
    return gitleaks((what.rows as SecretRow[]).map((row) => ({ ...row, text: `TOKEN=${row.secret}` })));
  }
  if (what.tool === 'trivy-secrets') {
    return trivySecrets(
      (what.rows as SecretRow[]).map((row) => ({ ...row, masked: `TOKEN=${'*'.repeat(row.secret.length)}` })),
    );
  }
  const packages = what.rows as PackageRow[];
  if (what.tool === 'trivy') {
    return trivy(
      packages.map(({ name, version, severity, fixed, names, advisory }) => ({
        id: names === 'ghsa' ? ghsa(number, advisory) : cve(number, advisory),
        name,
        version,
        fixed,
        severity: severity.toUpperCase(),
      })),
    );
  }
  // npm knows no CVE.
  const advisories = packages.map(({ name, version, severity, fixed, names, advisory }) => {
    const [id, ...aliases] =
      what.tool === 'npm-audit' || names === 'ghsa'
        ? [ghsa(number, advisory)]
        : names === 'cve'
          ? [cve(number, advisory)]
          : [ghsa(number, advisory), cve(number, advisory)];
    return { id: id ?? '', aliases, package: name, version, severity, fixed };
  });
  if (what.tool === 'grype') return grype(advisories);
  return what.tool === 'npm-audit' ? npmAudit(advisories) : osvScanner(advisories);
}

function vexOf({ advisory, status, names }: VexChoice, number: number): VexRow {
  return {
    id: names === 'cve' ? cve(number, advisory) : ghsa(number, advisory),
    status,
    purl: 'pkg:npm/left',
  };
}

function cve(history: number, advisory: number): string {
  return `CVE-2024-${10_000 + history * 3 + advisory}`;
}

// GitHub's alphabet has no vowels, and no letters that look alike.
const letters = '23456789cfghjmpqrvwx';

function ghsa(history: number, advisory: number): string {
  let text = '';
  for (let rest = 8_000_000 + history * 3 + advisory, i = 0; i < 12; i++) {
    text += letters[rest % letters.length];
    rest = Math.floor(rest / letters.length);
  }
  return `GHSA-${text.slice(0, 4)}-${text.slice(4, 8)}-${text.slice(8)}`;
}
