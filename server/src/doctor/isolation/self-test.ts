/** The whole isolation self-test: canaries, baseline, walk. The tests run the same code. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { createCanaries, type World } from './canaries.ts';
import type { Install } from './install.ts';
import { createKeys } from './keys.ts';
import { unknownRoutes } from './known-registered.ts';
import { ownUuids } from './leaks.ts';
import type { Finding, IsolationWalk } from './prober.ts';
import { createSessions } from './sessions.ts';
import { readBaseline, type Step, walkSteps } from './walk.ts';

/** Runs `make`, which builds servers, and returns all routes that were registered meanwhile. */
export async function collectRoutes<T>(
  make: () => Promise<T>,
): Promise<{ made: T; registered: RouteOptions[] }> {
  const registered: RouteOptions[] = [];
  // Fastify announces each instance before anything is registered on it.
  const collect = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      registered.push(route);
    });
  };
  subscribe('fastify.initialization', collect);
  try {
    return { made: await make(), registered };
  } finally {
    unsubscribe('fastify.initialization', collect);
  }
}

export interface SelfTestOptions {
  names: Parameters<typeof createCanaries>[1];
  registered: readonly RouteOptions[];
  signal?: AbortSignal;
}

/** Makes the canaries, and reads home before and after the other workspace is filled. */
export async function prepareWalk(server: Install, options: SelfTestOptions): Promise<IsolationWalk> {
  const { names, registered } = options;
  let keys: IsolationWalk['keys'] | null = null;
  let baseline: IsolationWalk['baseline'] = new Map();
  const world: World = await createCanaries(server, names, async (home, foreign) => {
    options.signal?.throwIfAborted();
    const two = { server, home, foreign };
    keys = await createKeys(two);
    const { admin } = await createSessions(two);
    baseline = await readBaseline(two, admin);
  });
  if (!keys) throw new Error('the canaries were made without keys');
  const foreignUuids = await ownUuids(server, world.foreign, world.home);
  return { world, foreignUuids, keys, baseline, registered };
}

/** Takes the steps one after the other and passes each to `watch`. */
export async function runWalk(
  walk: IsolationWalk,
  watch: (step: Step, findings: Finding[]) => void = () => {},
  signal?: AbortSignal,
): Promise<Finding[]> {
  const all = unknownRoutes(walk.registered);
  for (const step of walkSteps(walk)) {
    signal?.throwIfAborted();
    const findings = await step.run();
    watch(step, findings);
    all.push(...findings);
  }
  return all;
}
