/** Collects pairs. A pair counts only if neither side has another choice. */
export class OneToOne {
  readonly #choices = new Map<string, Set<string>>();
  readonly #askers = new Map<string, Set<string>>();

  add(asker: string, choice: string): void {
    this.#choices.set(asker, (this.#choices.get(asker) ?? new Set()).add(choice));
    this.#askers.set(choice, (this.#askers.get(choice) ?? new Set()).add(asker));
  }

  /** Returns asker → choice. */
  only(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [asker, choices] of this.#choices) {
      const [only] = choices;
      if (only !== undefined && choices.size === 1 && this.#askers.get(only)?.size === 1)
        found.set(asker, only);
    }
    return found;
  }
}
