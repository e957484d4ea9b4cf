/**
 * Searches for planted leaks with the walk: true if the walk finds a leak, and the missing conditions that it could
 * find at all.
 */
import type { Finding, IsolationWalk } from '../../src/doctor/isolation/prober.ts';
import { type Step, walkSteps } from '../../src/doctor/isolation/walk.ts';
import type { Clone } from '../support/database.ts';
import { type Mutant, openMutant, Reach } from './mutant-server.ts';
import { marksOf } from './plant.ts';

export interface Hunt {
  mutant: Mutant;
  found: { step: string; finding: Finding } | null;
  /** True if no statement of any step returned or changed a row that its conditions would exclude. */
  equivalent: boolean;
  steps: number;
}

/**
 * Runs the whole walk with no leak planted and row-level security off, to learn which statements matter in which steps.
 */
export async function findReach(
  walk: IsolationWalk,
  clone: Clone,
): Promise<{ reach: Reach; findings: Finding[] }> {
  const reach = new Reach();
  const server = await openMutant(walk.world.server, clone, null, reach.watch);
  const findings: Finding[] = [];
  try {
    for (const [i, step] of stepsOn(walk, server).entries()) {
      reach.step = i;
      findings.push(...(await step.run()));
      await reach.settled();
    }
  } finally {
    await server.close();
  }
  return { reach, findings };
}

/** Runs these steps until one of them finds a leak. */
export async function hunt(
  walk: IsolationWalk,
  clone: Clone,
  mutant: Mutant,
  order: number[],
): Promise<Hunt> {
  const together = mutant.kind === 'table' ? new Reach({ together: true }) : null;
  const server = await openMutant(walk.world.server, clone, mutant, together?.watch);
  try {
    const steps = stepsOn(walk, server);
    for (const [i, at] of order.entries()) {
      const step = steps[at];
      const [finding] = (await step?.run()) ?? [];
      await together?.settled();
      if (step && finding) {
        return { mutant, found: { step: step.name, finding }, equivalent: false, steps: i + 1 };
      }
    }
    return { mutant, found: null, equivalent: together?.hides.size === 0, steps: order.length };
  } finally {
    await server.close();
  }
}

function stepsOn(walk: IsolationWalk, server: IsolationWalk['world']['server']): Step[] {
  return walkSteps({ ...walk, world: { ...walk.world, server } });
}

/**
 * The steps in which a leak is searched: first the most likely ones, then all that send its statements. Each search
 * runs in the order of the walk on its own database, because a step may change what an earlier one reads.
 */
export function passesFor(mutant: Mutant, walk: IsolationWalk, reach: Reach): number[][] {
  const names = walkSteps(walk).map((step) => step.name);
  const where = (test: (name: string) => boolean): number[] =>
    names.flatMap((name, i) => (test(name) ? [i] : []));
  switch (mutant.kind) {
    case 'condition':
      return [sorted(reach.hides.get(mutant.mark) ?? []), sorted(reach.sent.get(mutant.mark) ?? [])];
    case 'route':
      return [where((name) => name === `${mutant.route} · credentials`)];
    case 'check':
      return [where((name) => / · (?:credentials|foreign cursor)$/.test(name)), [...names.keys()]];
    case 'table': {
      const table = new RegExp(`\\b${mutant.table}\\b`);
      const onTable = [...reach.statements].filter(([sql]) => table.test(sql));
      const marks = onTable.flatMap(([sql]) => marksOf(sql));
      return [
        sorted(marks.flatMap((mark) => [...(reach.hides.get(mark) ?? [])])),
        sorted(onTable.flatMap(([, steps]) => [...steps].slice(0, stepsOfStatement))),
      ];
    }
  }
}

// If many steps send a statement, this many of them are enough to show its rows.
const stepsOfStatement = 8;

function sorted(steps: Iterable<number>): number[] {
  return [...new Set(steps)].sort((a, b) => a - b);
}
