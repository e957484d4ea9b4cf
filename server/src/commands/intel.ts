/** `merlond intel import`: known exploited vulnerabilities and exploit predictions, from files. */
import type { Command } from 'commander';
import { listTenants } from '../access/workspaces/store.ts';
import { reEvaluateIntel } from '../actions/intel/re-evaluate.ts';
import { feedItem } from '../actions/intel/routes.ts';
import { getFeeds, importIntel } from '../actions/intel/service.ts';
import { type Database, installTx } from '../db/database.ts';
import { CommandError, exitCodes, printJson, say, withDatabase } from './session.ts';

interface ImportOptions {
  kev?: string;
  epss?: string;
  force?: true;
  json?: true;
}

export function addIntelCommands(program: Command): void {
  program
    .command('intel')
    .description('Known exploited vulnerabilities (KEV) and exploit predictions (EPSS)')
    .command('import')
    .description('Load releases of the feeds; changes of KEV are reconciled at once in every workspace')
    .option('--kev <file>', "CISA's known_exploited_vulnerabilities.json")
    .option('--epss <file>', "FIRST's epss_scores-DATE.csv, plain or gzip")
    .option(
      '--force',
      'accept an older release, one with a date in the future, or one with far fewer entries',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond intel import --kev known_exploited_vulnerabilities.json --epss epss_scores-current.csv.gz' +
        '\nFrom https://www.cisa.gov/known-exploited-vulnerabilities-catalog and https://www.first.org/epss',
    )
    .action(runImport);
}

async function runImport(options: ImportOptions): Promise<void> {
  const { kev = null, epss = null, force = false } = options;
  if (kev === null && epss === null) {
    throw new CommandError('give --kev FILE, --epss FILE or both', exitCodes.usage);
  }
  await withDatabase(async ({ db }) => {
    const imported = await importIntel(db, { kev, epss, force }, new Date());
    if (kev !== null) say(imported.kev ? `KEV: ${sizes(imported.kev)}` : 'KEV: this file is loaded already');
    if (epss !== null)
      say(imported.epss ? `EPSS: ${imported.epss.rows} scores` : 'EPSS: this file is loaded already');
    const reconciled = await reEvaluateAll(db);
    const feeds = await getFeeds(db);
    const shown = { kev: feedItem(feeds.kev), epss: feedItem(feeds.epss) };
    if (!options.json) {
      for (const [name, feed] of Object.entries(shown)) {
        say(
          feed
            ? `${name}: ${feed.version} of ${feed.published_at}, ${feed.entries} entries`
            : `${name}: none loaded`,
        );
      }
      return;
    }
    const { added = [], removed = [], updated = [] } = imported.kev ?? {};
    printJson({
      ...shown,
      changes: { added: added.length, removed: removed.length, updated: updated.length },
      vulnerabilities_reconciled: reconciled,
    });
  });
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

async function reEvaluateAll(db: Database): Promise<number> {
  let reconciled = 0;
  for (const tenant of await installTx(db, (tx) => listTenants(tx))) {
    for (;;) {
      const { changes, vulnerabilities } = await reEvaluateIntel(db, tenant.id, new Date());
      if (changes === 0) break;
      reconciled += vulnerabilities;
      say(`${tenant.slug}: ${changes} changed CVEs, ${vulnerabilities} vulnerabilities reconciled`);
    }
  }
  return reconciled;
}
