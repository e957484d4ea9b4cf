/**
 * `merlond intel import`: known exploited vulnerabilities, exploit predictions and advisories, from files.
 * `merlond intel match`: packages in use against the advisories.
 */
import type { Command } from 'commander';
import { getWorkspace } from '../access/workspaces/service.ts';
import { listTenants } from '../access/workspaces/store.ts';
import { reEvaluateIntel } from '../actions/intel/re-evaluate.ts';
import { feedItems } from '../actions/intel/routes.ts';
import { getFeeds, importIntel } from '../actions/intel/service.ts';
import { type Database, importTx, installTx } from '../db/database.ts';
import { importOsv, type OsvImport } from '../ingest/advisories/import-osv.ts';
import { importSsvc } from '../ingest/advisories/import-ssvc.ts';
import { matchWorkspace, rehearseMatch, type WorkspaceMatch } from '../ingest/matching/match-workspace.ts';
import { markAll } from '../ingest/matching/setting.ts';
import { isDatabaseUnavailable } from '../inventory/repositories/isolate-failures.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { printJson, say } from './output.ts';
import { withDatabase } from './with-database.ts';

interface ImportOptions {
  kev?: string;
  epss?: string;
  osv?: string[];
  ssvc?: string[];
  force?: true;
  json?: true;
}

interface MatchOptions {
  workspace?: string;
  dryRun?: true;
  json?: true;
}

export function addIntelCommands(program: Command): void {
  const intel = program
    .command('intel')
    .description('Known exploited vulnerabilities (KEV), exploit predictions (EPSS) and advisories (OSV)');
  intel
    .command('import')
    .description('Load releases of the feeds; what they change is reconciled at once in every workspace')
    .option('--kev <file>', "CISA's known_exploited_vulnerabilities.json")
    .option('--epss <file>', "FIRST's epss_scores-DATE.csv, plain or gzip")
    .option('--osv <path...>', 'advisories of OSV: the all.zip of ecosystems, folders, or single records')
    .option('--ssvc <path...>', "CISA's assessments of CVEs: a copy of cisagov/vulnrichment, or CVE records")
    .option(
      '--force',
      'accept an older release, one with a date in the future or fewer entries, or an archive with files that are no records',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond intel import --kev known_exploited_vulnerabilities.json --epss epss_scores-current.csv.gz' +
        '\n  merlond intel import --osv npm/all.zip PyPI/all.zip' +
        '\nFrom https://www.cisa.gov/known-exploited-vulnerabilities-catalog, https://www.first.org/epss and' +
        '\nhttps://google.github.io/osv.dev/data/',
    )
    .action(runImport);
  intel
    .command('match')
    .description('Match the packages in use with the loaded advisories; an import does it by itself')
    .option('--workspace <slug>', 'only this workspace')
    .option('--dry-run', 'count what would change, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond intel match --workspace acme --dry-run')
    .action(runMatch);
}

async function runImport(options: ImportOptions): Promise<void> {
  const { kev = null, epss = null, osv = [], ssvc = [], force = false } = options;
  if (kev === null && epss === null && osv.length + ssvc.length === 0) {
    throw new CommandError(
      'Give --kev, --epss, --osv or --ssvc with files, or several of them.',
      exitCodes.usage,
    );
  }
  await withDatabase(async ({ db }) => {
    const imported = await importIntel(db, { kev, epss, force }, new Date());
    if (kev !== null) say(imported.kev ? `KEV: ${sizes(imported.kev)}` : 'KEV: this file is loaded already');
    if (epss !== null)
      say(imported.epss ? `EPSS: ${imported.epss.rows} scores` : 'EPSS: this file is loaded already');
    const advisories = osv.length === 0 ? null : await importOsv(db, { paths: osv, force }, new Date());
    if (advisories) sayAdvisories(advisories);
    if (ssvc.length > 0) {
      const { assessed, written, unassessed } = await importSsvc(db, { paths: ssvc, force }, new Date());
      say(`SSVC: ${assessed} assessments, ${written} new or changed; ${unassessed} CVEs without one`);
    }
    const failed = new Set<string>();
    const reconciled = await reEvaluateAll(db, failed);
    const matched = advisories === null ? [] : await matchAll(db, await listAll(db), failed);
    const shown = feedItems(await getFeeds(db));
    if (!options.json) {
      for (const [name, feed] of Object.entries(shown)) {
        say(
          feed
            ? `${name}: ${feed.version} of ${feed.published_at}, ${feed.entries} entries`
            : `${name}: none loaded`,
        );
      }
      return refuseFailed(failed);
    }
    const { added = [], removed = [], updated = [] } = imported.kev ?? {};
    printJson({
      ...shown,
      changes: { added: added.length, removed: removed.length, updated: updated.length },
      vulnerabilities_reconciled: reconciled,
      ...(advisories ? { advisories: advisoryItem(advisories), matched: matched.map(matchItem) } : {}),
    });
    refuseFailed(failed);
  });
}

function sayAdvisories(imported: OsvImport): void {
  const { added, updated, unchanged, older, withdrawn, skippedPackages, unreadable, unclear, ecosystems } =
    imported;
  const byEcosystem = Object.entries(ecosystems)
    .sort()
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');
  say(
    `OSV: ${added} new, ${updated} changed, ${unchanged} unchanged, ${withdrawn} withdrawn (${byEcosystem})`,
  );
  if (older > 0)
    say(
      `OSV: ${older} records were left out: older than the loaded ones, or without a time of change; --force takes them`,
    );
  if (skippedPackages > 0) {
    say(
      `OSV: ${skippedPackages} entries are about packages that are not matched: docs/advisories.md#packages-of-distributions`,
    );
  }
  if (unreadable.count > 0) {
    say(`OSV: ${unreadable.count} files are no records, such as ${unreadable.first.join(', ')}`);
  }
  if (unclear.count > 0) {
    say(
      `OSV: ${unclear.count} records were left out, because it is not clear whether they are withdrawn or which versions ` +
        `they affect, such as ${unclear.first.join(', ')}; the loaded ones stay`,
    );
  }
}

function advisoryItem(imported: OsvImport) {
  return {
    added: imported.added,
    updated: imported.updated,
    unchanged: imported.unchanged,
    older: imported.older,
    withdrawn: imported.withdrawn,
    skipped_packages: imported.skippedPackages,
    unreadable: imported.unreadable.count,
    unclear: imported.unclear.count,
    ecosystems: imported.ecosystems,
  };
}

interface Matched extends Omit<WorkspaceMatch, 'packages'> {
  slug: string;
}

function matchItem({ slug, references, counts }: Matched) {
  return { workspace: slug, references, ...counts };
}

async function runMatch({ workspace, dryRun, json }: MatchOptions): Promise<void> {
  await withDatabase(async ({ db }) => {
    const tenants =
      workspace === undefined
        ? await listAll(db)
        : [await installTx(db, (tx) => getWorkspace(tx, workspace))];
    const matched: Matched[] = [];
    const failed = new Set<string>();
    if (dryRun) {
      await inEach(tenants, failed, async ({ id, slug }) => {
        matched.push({ slug, ...(await rehearseMatch(db, id, () => new Date())) });
      });
    } else {
      const marked: Tenants = [];
      await inEach(tenants, failed, async (tenant) => {
        await importTx(db, tenant.id, (tx) => markAll(tx, new Date()));
        marked.push(tenant);
      });
      matched.push(...(await matchAll(db, marked, failed)));
    }
    if (dryRun) for (const match of matched) sayMatch(match, 'would be');
    if (json) printJson({ dry_run: dryRun === true, matched: matched.map(matchItem) });
    refuseFailed(failed);
  });
}

type Tenants = Awaited<ReturnType<typeof listTenants>>;

async function listAll(db: Database): Promise<Tenants> {
  return installTx(db, (tx) => listTenants(tx));
}

/** Does the work in each workspace. One with an error is added to `failed`, and the others continue. */
async function inEach(
  tenants: Tenants,
  failed: Set<string>,
  work: (tenant: Tenants[number], note: (error: unknown) => void) => Promise<void>,
): Promise<void> {
  for (const tenant of tenants) {
    const note = (error: unknown): void => {
      failed.add(tenant.slug);
      say(`${tenant.slug}: ${(error as Error).message}`);
    };
    await work(tenant, note).catch((error: unknown) => {
      if (isDatabaseUnavailable(error)) throw error;
      note(error);
    });
  }
}

function refuseFailed(failed: Set<string>): void {
  if (failed.size === 0) return;
  throw new CommandError(
    `The work has failed in these workspaces, and the rest is done: ${[...failed].join(', ')}.`,
    exitCodes.fault,
  );
}

async function matchAll(db: Database, tenants: Tenants, failed: Set<string>): Promise<Matched[]> {
  const matched: Matched[] = [];
  await inEach(tenants, failed, async ({ id, slug }, note) => {
    const match = { slug, ...(await matchWorkspace(db, id, () => new Date(), { failed: note })) };
    matched.push(match);
    if (match.references > 0) sayMatch(match, 'are');
  });
  return matched;
}

function sayMatch({ slug, references, counts }: Matched, verb: string): void {
  const held = counts.closing_held > 0 ? `, ${counts.closing_held} wait for a second match` : '';
  say(
    `${slug}: ${references} references matched; ${counts.new} vulnerabilities ${verb} new, ` +
      `${counts.reopened} reopened, ${counts.fixed} fixed${held}`,
  );
}

function sizes({
  added,
  removed,
  updated,
}: {
  added: string[];
  removed: string[];
  updated: string[];
}): string {
  return `${added.length} added, ${removed.length} removed, ${updated.length} changed`;
}

async function reEvaluateAll(db: Database, failed: Set<string>): Promise<number> {
  let reconciled = 0;
  await inEach(await listAll(db), failed, async ({ id, slug }) => {
    for (;;) {
      const { changes, vulnerabilities } = await reEvaluateIntel(db, id, new Date());
      if (changes === 0) break;
      reconciled += vulnerabilities;
      say(`${slug}: ${changes} changes of the feeds, ${vulnerabilities} vulnerabilities updated`);
    }
  });
  return reconciled;
}
