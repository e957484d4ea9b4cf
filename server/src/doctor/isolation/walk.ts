/**
 * The walk calls every route of the server with foreign ids in path, query, body and cursor, with foreign keys and
 * foreign sessions. Each answer must be the promised refusal, show nothing foreign and change nothing in the other
 * workspace. Home must read the same as before the other workspace was filled.
 */
import type { RouteOptions } from 'fastify';
import { nobodyLike, type Side, type World } from './canaries.ts';
import { credentialSteps } from './credential-steps.ts';
import { type Credential, type ExpectedRefusal, notRefused, sentBy } from './credentials.ts';
import { valuesOf } from './foreign-filters.ts';
import { type HomeRead, homeReads, readsBySession, shown } from './home-reads.ts';
import { homeWork } from './home-work.ts';
import { isForSessions, type KnownRoute, type Request } from './known-route.ts';
import { knownRoutes, walkedRoutes } from './known-routes.ts';
import { leaksIn, uuidsOf, workspaceDigestOf } from './leaks.ts';
import { type Finding, type IsolationWalk, Prober, type SessionSource } from './prober.ts';
import { send } from './send.ts';
import { createSessions } from './sessions.ts';

/** One part of the walk; a caller may leave some out. */
export interface Step {
  name: string;
  run(): Promise<Finding[]>;
}

/** The current answers to `homeReads`. */
export async function readBaseline(
  { server, home }: Pick<World, 'server' | 'home'>,
  session: Credential,
): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const read of homeReads(home)) {
    const answer = await send(server.app, sentBy(credentialOf(read, home, session), { path: read.path }));
    answers.set(read.path, shown(answer));
  }
  return answers;
}

function credentialOf(read: HomeRead, home: Side, session: Credential): Credential {
  return readsBySession(read) ? session : home.people.admin.key;
}

/** Returns all steps in an order in which none spoils the next: reads come first, and home's own work comes last. */
export function walkSteps(walk: IsolationWalk): Step[] {
  const { world } = walk;
  const sessions = sessionSource(walk);
  const steps: Step[] = [];
  // No step may change the other workspace, so its ids are read once.
  let ids: Promise<Set<string>> | undefined;
  const step = (
    route: string,
    kind: string,
    work: (prober: Prober) => Promise<void>,
    writes = true,
  ): void => {
    steps.push({
      name: `${route} · ${kind}`,
      run: async () => {
        const prober = new Prober(walk, route);
        const before = writes ? await workspaceDigestOf(world.server, world.foreign) : null;
        await work(prober);
        if (before !== null) {
          const after = await workspaceDigestOf(world.server, world.foreign);
          const changed = [...after].filter(([table, digest]) => before.get(table) !== digest);
          if (changed.length > 0) {
            const tables = changed.map(([table]) => table).join(', ');
            prober.report({ path: route }, kind, `rows of the other workspace changed in ${tables}`);
          }
          // Only home's own work can write foreign values into its rows without a request that carries them.
          if (kind.startsWith('own')) {
            // Keys made from content are left out, because the same content gives the same key in both workspaces.
            ids ??= uuidsOf(world.server, world.foreign, 'id');
            const theirs = await ids;
            const foreign = [...(await uuidsOf(world.server, world.home))].filter((uuid) => theirs.has(uuid));
            if (foreign.length > 0) {
              prober.report(
                { path: route },
                kind,
                `rows of home now refer to ${foreign.slice(0, 3).join(', ')}`,
              );
            }
          }
        }
        return prober.findings;
      },
    });
  };

  for (const read of homeReads(world.home)) {
    step(read.route.route, `read ${read.path}`, (prober) => readStep(prober, read, sessions), false);
  }
  for (const route of walkedRoutes) {
    if (route.names.length > 0 || route.conflict) {
      step(route.route, 'foreign names', (prober) => namesStep(prober, route, sessions));
    }
    if (route.paged)
      step(route.route, 'foreign cursor', (prober) => cursorStep(prober, route, sessions), false);
  }
  for (const route of knownRoutes.filter((known) => known.route.startsWith('GET '))) {
    const parameters = queryParametersOf(walk.registered, route);
    if (parameters.length > 0) {
      step(
        route.route,
        'foreign filters',
        (prober) => filtersStep(prober, route, parameters, sessions),
        false,
      );
    }
  }
  for (const route of walkedRoutes) {
    step(route.route, 'credentials', (prober) => credentialSteps(prober, route, sessions));
  }
  for (const route of knownRoutes.filter((known) => !known.route.startsWith('GET '))) {
    // The self-test would not remove a workspace that is made here.
    if (route.makesWorkspace) continue;
    step(route.route, 'own write', async (prober) => {
      const request = route.call(world.home.slug, world.home);
      const credential = isForSessions(route) ? (await sessions()).admin : walk.keys.admin;
      await prober.probe(credential, request, 'nothing foreign', { success: route.success ?? 200 });
    });
  }
  for (const work of homeWork(world)) step(work.name, 'own work', (prober) => work.run(prober));
  return steps;
}

// A session may send 600 requests a minute. One step sends less than a tenth of that.
const stepsPerSession = 10;

/** Returns sessions that are good for another step, and makes new ones if the last ones may be near their limit. */
function sessionSource({ world }: IsolationWalk): SessionSource {
  let current: ReturnType<typeof createSessions> | null = null;
  let uses = 0;
  return () => {
    if (!current || uses++ % stepsPerSession === 0) current = createSessions(world);
    return current;
  };
}

async function adminOf(prober: Prober, route: KnownRoute, sessions: SessionSource): Promise<Credential> {
  return isForSessions(route) ? (await sessions()).admin : prober.walk.keys.admin;
}

async function readStep(prober: Prober, read: HomeRead, sessions: SessionSource): Promise<void> {
  const { baseline, world } = prober.walk;
  const session = readsBySession(read) ? (await sessions()).admin : null;
  const request = { path: read.path };
  const answer = await prober.probe(credentialOf(read, world.home, session), request, 'nothing foreign', {
    success: read.route.success ?? 200,
  });
  const before = baseline.get(read.path);
  const now = shown(answer);
  if (before === undefined) prober.report(request, 'nothing foreign', 'there is no answer to compare with');
  else if (before !== now) {
    prober.report(
      request,
      'nothing foreign',
      `differs from before the other workspace was filled: ${firstDifference(before, now)}`,
    );
  }
}

function firstDifference(before: string, now: string): string {
  let at = 0;
  while (at < before.length && before[at] === now[at]) at++;
  const around = (text: string): string => text.slice(Math.max(0, at - 40), at + 60);
  return `${around(now)} instead of ${around(before)}`;
}

async function namesStep(prober: Prober, route: KnownRoute, sessions: SessionSource): Promise<void> {
  const { home, foreign } = prober.walk.world;
  const admin = await adminOf(prober, route, sessions);
  for (const named of route.names) {
    const probeName = (side: Side, origin: string) => {
      const refusal = { ...named.refusal, ...(named.echo ? { echo: named.echo(side) } : {}) };
      return prober.probe(admin, named.call(home, side), `${origin}: ${named.description}`, refusal);
    };
    const answer = await probeName(foreign, 'foreign');
    // An object of another workspace must look the same as one that does not exist.
    const nobody = await probeName(nobodyLike(foreign), 'unknown');
    if (answer.text !== nobody.text) {
      prober.report(
        named.call(home, foreign),
        named.description,
        `answered otherwise than for an unknown one: ${answer.text}`,
      );
    }
  }
  if (route.conflict) {
    const refusal = { status: 404, code: 'RESOURCE_NOT_FOUND' };
    await prober.probe(admin, route.conflict(home.slug, foreign), 'foreign and stale', refusal);
  }
}

const onCursor: ExpectedRefusal = { status: 422, code: 'VALIDATION_FAILED', field: 'cursor' };

async function cursorStep(prober: Prober, route: KnownRoute, sessions: SessionSource): Promise<void> {
  const { home, foreign, server } = prober.walk.world;
  const admin = await adminOf(prober, route, sessions);
  const foreignAdmin = isForSessions(route) ? (await sessions()).foreignAdmin : foreign.people.admin.key;
  const withCursor = (path: string, cursor?: string): Request => ({
    path: `${path}${path.includes('?') ? '&' : '?'}per_page=1${cursor === undefined ? '' : `&cursor=${cursor}`}`,
  });
  const first = withCursor(route.call(foreign.slug, foreign).path);
  const page = await send(server.app, sentBy(foreignAdmin, first));
  const { next_cursor: cursor } = page.body;
  if (typeof cursor !== 'string') {
    prober.report(first, 'no cursor', `${page.status}: has one page only`);
    return;
  }
  const own = route.call(foreign.slug, foreign).path.replace(foreign.slug, home.slug);
  await prober.probe(admin, withCursor(own, cursor), 'a cursor of the other workspace', onCursor);
  const paged = walkedRoutes.filter((one) => one.paged && isForSessions(one) === isForSessions(route));
  const other = paged[(paged.indexOf(route) + 1) % paged.length];
  if (other && other !== route) {
    // The request stays in the foreign workspace, which may show its own objects, so only the status is checked.
    const request = withCursor(other.call(foreign.slug, foreign).path, cursor);
    const wrong = notRefused(await send(server.app, sentBy(foreignAdmin, request)), onCursor);
    if (wrong !== null) prober.report(request, 'a cursor of another list', wrong);
  }
}

function queryParametersOf(registered: readonly RouteOptions[], route: KnownRoute): string[] {
  const options = registered.find((one) => nameOf(one).includes(route.route));
  const schema = options?.schema?.querystring as { properties?: object } | undefined;
  return Object.keys(schema?.properties ?? {});
}

async function filtersStep(
  prober: Prober,
  route: KnownRoute,
  parameters: string[],
  sessions: SessionSource,
): Promise<void> {
  const { home, foreign, server } = prober.walk.world;
  const admin = await adminOf(prober, route, sessions);
  const good = route.call(home.slug, home).path;
  for (const parameter of parameters) {
    const values = valuesOf(parameter);
    if (!values) {
      prober.report({ path: good }, parameter, 'the walk does not know this parameter: foreign-filters.ts');
      continue;
    }
    const ofNobody = values(nobodyLike(foreign));
    for (const [i, value] of values(foreign).entries()) {
      const request = { path: withParameter(good, parameter, value) };
      const nobody = ofNobody[i] ?? '';
      const answer = await send(server.app, sentBy(admin, request));
      const text = answer.text.replaceAll(value, '…');
      const leaks = leaksIn(text, prober.walk.foreignUuids, foreign);
      if (leaks.length > 0)
        prober.report(request, `foreign ${parameter}`, `shows ${leaks.join(', ')}: ${text}`);
      const other = await send(server.app, sentBy(admin, { path: withParameter(good, parameter, nobody) }));
      const otherText = other.text.replaceAll(nobody, '…');
      if (shown({ ...answer, text }) !== shown({ ...other, text: otherText })) {
        const difference = firstDifference(shown({ ...other, text: otherText }), shown({ ...answer, text }));
        prober.report(
          request,
          `foreign ${parameter}`,
          `answered otherwise than for an unknown one: ${difference}`,
        );
      }
    }
  }
}

function withParameter(path: string, parameter: string, value: string): string {
  const url = new URL(path, 'http://localhost');
  url.searchParams.set(parameter, value);
  return `${url.pathname}${url.search}`;
}

/** Returns `GET /path` for each method of the route. */
export function nameOf(route: RouteOptions): string[] {
  return [route.method].flat().map((method) => `${method === 'HEAD' ? 'GET' : method} ${route.url}`);
}
