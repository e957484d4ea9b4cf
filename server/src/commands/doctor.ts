/**
 * `merlond doctor` checks an install; `merlond doctor isolation` tests whether its workspaces see each other.
 */

import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import type { Config } from '../config.ts';
import { advisoryLocks } from '../db/advisory-locks.ts';
import { openDatabase } from '../db/database.ts';
import { loadInstallSecret } from '../db/install-secret.ts';
import { connectOwner } from '../db/owner-client.ts';
import { openUnprepared, secretFileOf } from '../db/prepare-database.ts';
import type { NamedResult } from '../doctor/install/run-checks.ts';
import { describeFinding, type Finding } from '../doctor/isolation/prober.ts';
import { removeCanaries } from '../doctor/isolation/remove-canaries.ts';
import { lazyQueue } from '../jobs/queue.ts';
import type { OpenDatabase } from '../open.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { print, printJson, say } from './output.ts';
import { readConfig, readConfigOfInstall } from './read-config.ts';
import { withDatabase } from './with-database.ts';

export function addDoctorCommands(program: Command): void {
  const doctor = program
    .command('doctor')
    .description('Check the install: database, settings, queue, counters, secret, disk')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExit code 1 if a check finds a fault. Warnings do not count.\nExample:\n  merlond doctor',
    )
    .action(async (options: { json?: true }) => {
      const results = await checkConfigured(readConfigOfInstall());
      if (options.json) printJson({ checks: results });
      else {
        for (const result of results) {
          print(`${result.result.padEnd(8)} ${result.check}: ${result.found}`);
          if ('action' in result) print(`         ${result.action}`);
        }
      }
      if (results.some(({ result }) => result === 'fault')) process.exitCode = exitCodes.fault;
    });
  doctor
    .command('isolation')
    .description(
      'Test every route with foreign ids, keys, sessions and cursors, on two workspaces of its own',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nTakes a minute or two. Its two workspaces are removed at the end; after a kill, by the next run.\nExample:\n  merlond doctor isolation',
    )
    .action(async (_options: object, command: Command) => {
      // The command above has the same option and consumes it.
      const { json } = command.optsWithGlobals<{ json?: true }>();
      const config = readConfig();
      const { steps, findings } = await withDatabase((open) => testIsolation(open, config));
      if (json) printJson({ steps, findings });
      else {
        for (const finding of findings) say(`leak: ${describeFinding(finding)}`);
        say(`${steps} steps, ${findings.length} findings`);
      }
      if (findings.length > 0) process.exitCode = exitCodes.leak;
    });
}

async function checkConfigured(config: Config): Promise<NamedResult[]> {
  const { appUrl, ownerUrl, close } = await openUnprepared(config);
  const db = openDatabase(appUrl, { commitSteps: [], maxConnections: 3 });
  try {
    // Without the database there is nothing to check.
    await db.pool.query('select 1');
    const { runChecks } = await import('../doctor/install/run-checks.ts');
    const loadSecret = () => loadInstallSecret(secretFileOf(config), false);
    return await runChecks({ config, db, appUrl, ownerUrl, loadSecret, now: () => new Date() });
  } finally {
    await db.close();
    await close();
  }
}

async function testIsolation(
  open: OpenDatabase,
  config: Config,
): Promise<{ steps: number; findings: Finding[] }> {
  if (open.ownerUrl === null) {
    throw new CommandError(
      'MERLON_DATABASE_OWNER_URL is required: the running role may not delete the history of the two test workspaces.',
      exitCodes.usage,
    );
  }
  const owner = await connectOwner(open.ownerUrl, 'doctor');
  const interrupted = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => {
    interrupted.abort(
      new CommandError(`The signal ${signal} stopped the self-test, and its workspaces are removed.`),
    );
  };
  try {
    const { rows } = await owner.query('select pg_try_advisory_lock($1) as locked', [
      advisoryLocks.testIsolation,
    ]);
    if (!rows[0]?.locked)
      throw new CommandError('Another merlond doctor isolation is running: wait until it ends.');
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, interrupt);
    for (const slug of await removeCanaries(owner)) say(`removed ${slug}, left by a run that was killed`);
    try {
      return await walkThrough(open, config, interrupted.signal);
    } finally {
      await removeCanaries(owner);
    }
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, interrupt);
    await owner.end();
  }
}

/**
 * The server runs in this process, over the database of the install. This shows all of its routes, turns rate limits
 * off for the test alone, avoids the proxy, and works whether or not the server is running.
 */
async function walkThrough(
  { db, secret }: OpenDatabase,
  config: Config,
  signal: AbortSignal,
): Promise<{ steps: number; findings: Finding[] }> {
  // Without a database URL limits are counted in this process. Without a public URL the console's origin is not fixed.
  const own = {
    ...config,
    databaseUrl: null,
    publicUrl: null,
    oidc: null,
    rateLimitPerMinute: 0,
    uploadsPerMinute: 0,
  };
  const { buildApp } = await import('../app.ts');
  const { collectRoutes, prepareWalk, runWalk } = await import('../doctor/isolation/self-test.ts');
  const queue = lazyQueue(db);
  const { made: app, registered } = await collectRoutes(async () => {
    const built = await buildApp({ config: own, db, secret, log: false });
    await built.ready();
    return built;
  });
  try {
    const token = randomBytes(6).toString('hex');
    const names = {
      home: { slug: `doctor-${token}-home`, mark: `wren${token}` },
      foreign: { slug: `doctor-${token}-foreign`, mark: `finch${token}` },
      canary: true,
    };
    const walk = await prepareWalk({ app, db, secret, config: own, queue }, { names, registered, signal });
    let steps = 0;
    const findings = await runWalk(walk, () => steps++, signal);
    return { steps, findings };
  } finally {
    await app.close();
    await queue.close();
  }
}
