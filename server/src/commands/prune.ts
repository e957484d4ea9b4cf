/** `merlond prune`: deletes data that is older than the settings allow. */
import type { Command } from 'commander';
import { CommandError, exitCodes } from './command-error.ts';
import { everyTwoSeconds } from './every-two-seconds.ts';
import { printJson, say } from './output.ts';
import { readConfig } from './read-config.ts';
import { withDatabase, withOwner } from './with-database.ts';

export function addPruneCommand(program: Command): void {
  program
    .command('prune')
    .description(
      'Delete data older than MERLON_KEEP_FIXED_DAYS, _REFERENCES_DAYS, _SCANS_DAYS and _AUDIT_DAYS allow',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nRun it once a day, as the owner of the tables, while the server runs.\nExample:\n  MERLON_KEEP_SCANS_DAYS=400 merlond prune',
    )
    .action(async (options: { json?: true }) => {
      const config = readConfig();
      if (
        config.keepFixedDays + config.keepReferencesDays + config.keepScansDays + config.keepAuditDays ===
        0
      ) {
        throw new CommandError(
          'All data is kept for ever: set MERLON_KEEP_FIXED_DAYS, MERLON_KEEP_REFERENCES_DAYS, MERLON_KEEP_SCANS_DAYS or MERLON_KEEP_AUDIT_DAYS.',
          exitCodes.usage,
        );
      }
      const { prune } = await import('../retention/prune.ts');
      const throttled = everyTwoSeconds();
      const pruned = await withOwner('to prune: the running role may not delete history', (ownerUrl) =>
        withDatabase(({ db }) =>
          prune({ db, ownerUrl }, config, new Date(), (workspace, { vulnerabilities, scans }) =>
            throttled(() =>
              say(`${workspace}: ${vulnerabilities} vulnerabilities and ${scans} scans so far`),
            ),
          ),
        ),
      );
      if (options.json) printJson(pruned);
      else {
        const { vulnerabilities, events, texts, violations, references, scans, audit } = pruned;
        say(
          `deleted ${vulnerabilities} fixed vulnerabilities, ${events} entries of histories, ${texts} descriptions and search terms, ${violations} resolved violations of other targets, what ${references} old branches, tags and pull requests had shown, ${scans} scans, ${audit} entries of audit logs`,
        );
      }
    });
}
