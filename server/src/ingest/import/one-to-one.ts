/** Collects pairs. A pair counts only if neither side is in another pair. */
export class OneToOne<Right extends string> {
  readonly #rightsOf = new Map<string, Set<Right>>();
  readonly #leftsOf = new Map<Right, Set<string>>();

  add(left: string, right: Right): void {
    this.#rightsOf.set(left, (this.#rightsOf.get(left) ?? new Set()).add(right));
    this.#leftsOf.set(right, (this.#leftsOf.get(right) ?? new Set()).add(left));
  }

  /** Returns left → right. */
  only(): Map<string, Right> {
    const found = new Map<string, Right>();
    for (const [left, rights] of this.#rightsOf) {
      const [only] = rights;
      if (only !== undefined && rights.size === 1 && this.#leftsOf.get(only)?.size === 1)
        found.set(left, only);
    }
    return found;
  }
}
