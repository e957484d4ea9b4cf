/** `merlond secret`: what an operator does after the secret file was lost or has leaked. */
import type { Command } from 'commander';
import { loadInstallSecret } from '../db/install-secret.ts';
import { printJson, say } from './output.ts';
import { readConfigOfInstall } from './read-config.ts';

export function addSecretCommands(program: Command): void {
  program
    .command('secret')
    .description('Manage the secret of this install')
    .command('accept')
    .description('Bind the database to the present secret file, in place of one that was lost or has leaked')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Stop all processes first, and put the new file on every node. With another secret:
  sessions and cursors end;
  waiting and kept reports cannot be read any more, so upload the waiting ones again;
  webhooks and issue trackers need their secrets again;
  secrets that reports show again count as new, so decide about them again.
Example:
  (umask 077; openssl rand -hex 32 > secret) && MERLON_SECRET_FILE=secret merlond secret accept`,
    )
    .action(acceptSecret);
}

async function acceptSecret({ json }: { json?: true }): Promise<void> {
  const config = readConfigOfInstall();
  const { prepareDatabase, secretFileOf } = await import('../db/prepare-database.ts');
  const prepared = await prepareDatabase(config, say, { acceptSecret: true });
  await prepared.close();
  const { fingerprint } = await loadInstallSecret(secretFileOf(config), false);
  if (json) printJson({ fingerprint });
  else say(`The database belongs to the secret ${fingerprint} now.`);
}
