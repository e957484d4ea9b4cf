/**
 * The chains of packages that lead from a project's own dependencies to a package below them. It reads each edge once,
 * so that a graph with circles takes linear time. It must never change what a finding is.
 */

/** A longer chain is no dependency of a real project. */
const maxChain = 100;

interface Step {
  /** The package before this one; null for a root. */
  before: string | null;
  /** The length of the chain up to here. */
  length: number;
}

export class DependencyChains {
  readonly #steps = new Map<string, Step>();

  /** `edges` maps a package to those that it depends on. The order of the report decides nothing. */
  constructor(edges: ReadonlyMap<string, readonly string[]>, roots: Iterable<string>) {
    let level = [...new Set(roots)].sort();
    for (const root of level) this.#steps.set(root, { before: null, length: 1 });
    for (let length = 2; level.length > 0; length++) {
      const next: string[] = [];
      for (const before of level) {
        for (const id of [...(edges.get(before) ?? [])].sort()) {
          if (this.#steps.has(id)) continue;
          this.#steps.set(id, { before, length });
          next.push(id);
        }
      }
      level = next;
    }
  }

  /** Returns the shortest chain from a root to the package, both included; empty if no root leads there. */
  to(id: string): string[] {
    if ((this.#steps.get(id)?.length ?? Number.POSITIVE_INFINITY) > maxChain) return [];
    const chain: string[] = [];
    for (let step: string | null = id; step !== null; step = this.#steps.get(step)?.before ?? null)
      chain.push(step);
    return chain.reverse();
  }
}
