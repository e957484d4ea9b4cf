/** `merlond doctor isolation` tests whether workspaces of this install see each other. */
import { randomBytes } from 'node:crypto';
import type { Command } from 'commander';
import pg from 'pg';
import type { Config } from '../config.ts';
import { describeFinding, type Finding } from '../doctor/isolation/asker.ts';
import { removeCanaries } from '../doctor/isolation/remove-canaries.ts';
import { lazyQueue } from '../jobs/queue.ts';
import type { OpenDatabase } from '../open.ts';
import { CommandError, exitCodes, printJson, readConfig, say, withDatabase } from './session.ts';

export function addDoctorCommands(program: Command): void {
  const doctor = program.command('doctor').description('Self-tests of a live install');
  doctor
    .command('isolation')
    .description('Try every route with foreign ids, keys, sessions and cursors, on two workspaces of its own')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nTakes a minute or two. Its two workspaces are removed at the end; after a kill, by the next run.\nExample:\n  merlond doctor isolation',
    )
    .action(async (options: { json?: true }) => {
      const config = readConfig();
      const { steps, findings } = await withDatabase((open) => testIsolation(open, config));
      if (options.json) printJson({ steps, findings });
      else {
        for (const finding of findings) say(`leak: ${describeFinding(finding)}`);
        say(`${steps} steps, ${findings.length} findings`);
      }
      if (findings.length > 0) process.exitCode = exitCodes.leak;
    });
}

// The number means nothing; no other lock may use it.
const advisoryLock = 7_263_042;

async function testIsolation(
  open: OpenDatabase,
  config: Config,
): Promise<{ steps: number; findings: Finding[] }> {
  if (open.ownerUrl === null) {
    throw new CommandError(
      'MERLON_DATABASE_OWNER_URL is required: the running role may not delete the history of the two test workspaces',
      exitCodes.usage,
    );
  }
  const owner = new pg.Client({ connectionString: open.ownerUrl, application_name: 'merlond doctor' });
  owner.on('error', () => {});
  await owner.connect();
  const interrupted = new AbortController();
  const interrupt = (signal: NodeJS.Signals): void => {
    interrupted.abort(new CommandError(`${signal}: stopped; the test workspaces are removed`));
  };
  try {
    const { rows } = await owner.query('select pg_try_advisory_lock($1) as locked', [advisoryLock]);
    if (!rows[0]?.locked)
      throw new CommandError('another merlond doctor isolation is running: wait for its end');
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
