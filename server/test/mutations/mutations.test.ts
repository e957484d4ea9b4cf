/**
 * Tests with planted leaks, one at a time, that the isolation walk must find: a sample in CI, a hundred with
 * `npm run test:mutations`. A condition on the tenant is removed with row-level security off, because with it nothing
 * would leak. The statement's own rows decide whether a leak is real.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import type { KnownRoute } from '../../src/doctor/isolation/known-route.ts';
import type { IsolationWalk } from '../../src/doctor/isolation/prober.ts';
import { form, seedOf } from '../support/form.ts';
import type { Hunt } from './hunt.ts';
import type { Mutant, Reach } from './mutant-server.ts';
import { checks, places, reasons, staleReasons } from './plant.ts';

// This is loaded after the marks and switches. A static import would load the unchanged sources.
const { buildApp } = await import('../../src/app.ts');
const { commitSteps } = await import('../../src/commit-steps.ts');
const { loadConfig } = await import('../../src/config.ts');
const { openDatabase } = await import('../../src/db/database.ts');
const { walkedRoutes } = await import('../../src/doctor/isolation/known-routes.ts');
const { tenantTables } = await import('../../src/doctor/isolation/leaks.ts');
const { collectRoutes, prepareWalk } = await import('../../src/doctor/isolation/self-test.ts');
const { roleAtLeast, roleForScope } = await import('../../src/http/principal.ts');
const { describeFinding: toldFinding } = await import('../../src/doctor/isolation/prober.ts');
const { installSecret } = await import('../../src/db/install-secret.ts');
const { lazyQueue } = await import('../../src/jobs/queue.ts');
const { cloneDatabase } = await import('../support/database.ts');
const { worldNames } = await import('../support/world.ts');
const { findReach, hunt, passesFor } = await import('./hunt.ts');

const full = form === 'full';
/**
 * Number of planted mutations of each kind. A long run plants every condition that matters, and more than a hundred in
 * all.
 */
const counts = full
  ? { condition: 1000, table: 15, check: checks.length, route: 50 }
  : { condition: 6, table: 1, check: 2, route: 1 };
const seed = seedOf(1);

const template = await cloneDatabase();
const { walk, tables } = await createWorld();
after(() => template.drop());
const { reach, findings } = await findReach(walk, await cloneDatabase(template.name));

/** The walk's two workspaces, in a database without open connections. */
async function createWorld(): Promise<{ walk: IsolationWalk; tables: string[] }> {
  const config = loadConfig({ MERLON_RATE_LIMIT_PER_MINUTE: '0', MERLON_UPLOADS_PER_MINUTE: '0' });
  const db = openDatabase(template.appUrl, { commitSteps, maxConnections: 4 });
  const secret = installSecret(Buffer.alloc(32, 7));
  const queue = lazyQueue(db);
  const { made: app, registered } = await collectRoutes(() => buildApp({ config, db, secret, log: false }));
  await app.ready();
  const made = await prepareWalk({ app, db, secret, config, queue }, { names: worldNames, registered });
  const all = await tenantTables(async <Row>(sql: string) => (await db.pool.query(sql)).rows as Row[]);
  await queue.close();
  await app.close();
  await db.close();
  return { walk: made, tables: all.filter((table) => !table.startsWith('api_key')) };
}

function mutantsOf(known: Reach): Record<Mutant['kind'], Mutant[]> {
  return {
    condition: [...known.hides.keys()]
      .filter((mark) => !reasons.has(mark))
      .map((mark) => ({
        kind: 'condition',
        mark,
        place: places.get(mark) ?? '',
      })),
    table: tables.map((table) => ({ kind: 'table', table })),
    check: checks.map(({ id }) => ({ kind: 'check', id })),
    route: walkedRoutes.flatMap(forgetful),
  };
}

/**
 * Routes whose handler checks the role once more, in its transaction, or lets only an admin and the person who made the
 * object go on. So one missing check leaks nothing.
 */
const checkedTwice = [
  'POST /manage/v1/:tenant_slug/webhooks',
  'PATCH /manage/v1/:tenant_slug/webhooks/:webhook',
  'POST /manage/v1/:tenant_slug/webhooks/:webhook/secret',
  'POST /manage/v1/:tenant_slug/issue-trackers',
  'PATCH /manage/v1/:tenant_slug/issue-trackers/:tracker',
  'POST /manage/v1/:tenant_slug/exceptions/:exception/withdraw',
  'DELETE /manage/v1/:tenant_slug/vulnerabilities/:vulnerability/comments/:comment',
  'POST /manage/v1/:tenant_slug/keys',
  'POST /manage/v1/:tenant_slug/invitations',
  'PATCH /manage/v1/:tenant_slug/members/:user',
  'DELETE /manage/v1/:tenant_slug/members/:user',
];

/** The route without its role and, if a key may use it, without its scopes. */
function forgetful({ route, access }: KnownRoute): Mutant[] {
  if (access === 'key') return [];
  const { role, ...rest } = access;
  const made: Mutant[] = [];
  const bySessionAlone = route.includes(' /console/');
  // A session has the scopes of its role, so the scopes of a console route imply the role too.
  const isImplied =
    bySessionAlone &&
    'scopes' in access &&
    access.scopes.some((scope) => role !== undefined && roleAtLeast(roleForScope(scope), role));
  if (role !== undefined && role !== 'viewer' && !isImplied && !checkedTwice.includes(route))
    made.push({ kind: 'route', route, access: rest });
  if ('scopes' in access && !bySessionAlone) {
    made.push({ kind: 'route', route, access: { ...access, scopes: [] } });
  }
  return made;
}

function nameOf(mutant: Mutant): string {
  switch (mutant.kind) {
    case 'condition':
      return `no condition on the tenant at ${mutant.place}`;
    case 'table':
      return `no row-level security on ${mutant.table}, and no condition on the tenant anywhere`;
    case 'check':
      return mutant.id;
    case 'route':
      return `${mutant.route} requires ${JSON.stringify(mutant.access)}`;
  }
}

test('with row-level security off and no planted leak, the walk finds nothing, as every statement names its tenant', () => {
  assert.equal(findings.map(toldFinding).join('\n'), '');
  assert.deepEqual([...staleReasons], []);
  const matter = reach.hides.size;
  for (const [mark, reason] of reasons) {
    if (reach.hides.has(mark)) console.log(`no leak: ${places.get(mark)}: ${reason}`);
  }
  console.log(
    `${places.size} conditions; ${reach.sent.size} are sent in the walk; of ${matter} a row of another workspace is hidden`,
  );
  if (full) {
    const unsent = [...places].filter(([mark]) => !reach.sent.has(mark)).map(([, place]) => place);
    console.log(`not sent in the walk:\n${unsent.join('\n')}`);
  }
  assert.ok(matter > 40, `only ${matter} conditions matter`);
});

test('every planted leak is found', async () => {
  const mutants = mutantsOf(reach);
  // A regular expression over names selects some of them.
  const only = new RegExp(process.env.TEST_MUTANT ?? '');
  const picked = (Object.keys(counts) as Mutant['kind'][]).map((kind) =>
    shuffled(mutants[kind])
      .filter((one) => only.test(nameOf(one)))
      .slice(0, counts[kind]),
  );
  const begun = Date.now();
  // A switch applies to the whole process, so these run one at a time. Of the others, two run in parallel.
  const alone = picked.flat().filter((mutant) => mutant.kind === 'check');
  const rest = picked.flat().filter((mutant) => mutant.kind !== 'check');
  const hunts = await huntAll(rest, 2);
  hunts.push(...(await huntAll(alone, 1)));
  const found = hunts.filter((one) => one.found);
  const equivalent = hunts.filter((one) => one.equivalent);
  for (const one of equivalent) console.log(`no leak: ${nameOf(one.mutant)}`);
  const missed = hunts.filter((one) => !one.found && !one.equivalent);
  console.log(
    `seed ${seed}: ${hunts.length} planted, ${found.length} found, ${equivalent.length} equivalent, ${missed.length} missed, ${Math.round((Date.now() - begun) / 1000)} s`,
  );
  assert.deepEqual(
    missed.map((one) => nameOf(one.mutant)),
    [],
  );
});

/** Shuffles by the seed. */
function shuffled(mutants: Mutant[]): Mutant[] {
  const rank = (mutant: Mutant): string =>
    createHash('sha256')
      .update(`${seed} ${JSON.stringify(mutant)}`)
      .digest('hex');
  return mutants
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
}

async function huntAll(mutants: Mutant[], sideBySide: number): Promise<Hunt[]> {
  const waiting = [...mutants];
  const hunts: Hunt[] = [];
  const worker = async (): Promise<void> => {
    for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
      const one = await huntOne(mutant);
      if (full) console.log(`${one.found ? `found in ${one.steps}` : 'not found'}: ${nameOf(mutant)}`);
      hunts.push(one);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, worker));
  return hunts;
}

async function huntOne(mutant: Mutant): Promise<Hunt> {
  let last: Hunt | null = null;
  for (const steps of passesFor(mutant, walk, reach)) {
    const attempt = async (): Promise<Hunt> => hunt(walk, await cloneDatabase(template.name), mutant, steps);
    // A busy machine may lose a connection once. A second failure is a failure of the mutant.
    last = await attempt().catch(attempt);
    if (last.found) return last;
  }
  if (!last) throw new Error(`there is no step for ${nameOf(mutant)}`);
  return last;
}
