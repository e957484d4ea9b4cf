/** `merlond secret`: what an operator does after the secret file was lost or has leaked. */
import type { Command } from 'commander';
import { loadInstallSecret, replaceBoundSecret } from '../db/install-secret.ts';
import { readConfigOfInstall, say } from './session.ts';

export function addSecretCommands(program: Command): void {
  program
    .command('secret')
    .description('Manage the secret of this install')
    .command('accept')
    .description('Bind the database to the present secret file, in place of one that was lost or has leaked')
    .addHelpText(
      'after',
      `
Stop all processes first, and put the new file on every node. With another secret:
  sessions and cursors end, and waiting reports cannot be read: upload them again;
  webhooks and issue trackers need their secrets again;
  secrets that reports show again count as new, so decisions about them must be repeated.
Example:
  openssl rand -hex 32 > secret && MERLON_SECRET_FILE=secret merlond secret accept`,
    )
    .action(acceptSecret);
}

async function acceptSecret(): Promise<void> {
  const config = readConfigOfInstall();
  const { prepareDatabase, secretFileOf } = await import('../db/prepare-database.ts');
  const { openDatabase } = await import('../db/database.ts');
  const prepared = await prepareDatabase(config, say);
  const db = openDatabase(prepared.appUrl, { commitSteps: [], maxConnections: 1 });
  try {
    const secret = await loadInstallSecret(secretFileOf(config), false);
    await replaceBoundSecret(db.pool, secret);
    say(`The database belongs to the secret ${secret.fingerprint} now.`);
  } finally {
    await db.close();
    await prepared.close();
  }
}
