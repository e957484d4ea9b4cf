/** Sends one request of the walk and checks its answer. */

import type { RouteOptions } from 'fastify';
import type { Id, IdKind } from '../../domain/ids.ts';
import type { World } from './canaries.ts';
import { type Credential, type ExpectedRefusal, notRefused, sentBy } from './credentials.ts';
import type { createKeys } from './keys.ts';
import type { Request } from './known-route.ts';
import { leaksIn } from './leaks.ts';
import { type Answer, send } from './send.ts';
import type { createSessions } from './sessions.ts';

/** The problem: data of the other workspace came back, was counted or was changed, or the check could not run. */
export interface Finding {
  route: string;
  /** The value that was sent, and where it is in the request. */
  input: string;
  problem: string;
}

/** Describes the finding in one line, for people. */
export function describeFinding({ route, input, problem }: Finding): string {
  return `${route} · ${input} → ${problem}`;
}

export interface IsolationWalk {
  world: World;
  foreignUuids: ReadonlySet<Id<IdKind>>;
  keys: Awaited<ReturnType<typeof createKeys>>;
  /** The answers at home before the other workspace was filled, by method and path. */
  baseline: ReadonlyMap<string, string>;
  registered: readonly RouteOptions[];
}

export type SessionSource = () => Promise<Awaited<ReturnType<typeof createSessions>>>;

/** Sends the request and reports what is wrong with the answer. */
export class Prober {
  readonly findings: Finding[] = [];
  readonly walk: IsolationWalk;
  readonly route: string;

  constructor(walk: IsolationWalk, route: string) {
    this.walk = walk;
    this.route = route;
  }

  async probe(
    credential: Credential,
    request: Request,
    input: string,
    expected: ExpectedRefusal | { success: number },
  ): Promise<Answer> {
    const { world, foreignUuids } = this.walk;
    const answer = await send(world.server.app, sentBy(credential, request));
    const echo = 'echo' in expected ? expected.echo : undefined;
    const text = echo === undefined ? answer.text : answer.text.replaceAll(echo, '…');
    const wrong =
      'success' in expected
        ? answer.status === expected.success
          ? null
          : `${answer.status} instead of ${expected.success}`
        : notRefused(answer, expected);
    if (wrong !== null) this.report(request, input, `${wrong}: ${text}`);
    const leaks = leaksIn(text, foreignUuids, world.foreign);
    if (leaks.length > 0) this.report(request, input, `shows ${leaks.slice(0, 3).join(', ')}: ${text}`);
    return { ...answer, text };
  }

  report(request: Pick<Request, 'method' | 'path'>, input: string, problem: string): void {
    // This much shows the leak. Repeating the request shows the rest.
    const cut = problem.length > 300 ? `${problem.slice(0, 300)}…` : problem;
    this.findings.push({
      route: this.route,
      input: `${input}: ${request.method ?? 'GET'} ${request.path}`,
      problem: cut,
    });
  }
}
