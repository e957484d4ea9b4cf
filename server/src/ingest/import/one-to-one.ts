/** Collects pairs. A pair counts only if neither side has another choice. */
export class OneToOne {
  readonly #choices = new Map<string, Set<string>>();
  readonly #askers = new Map<string, Set<string>>();

  add(prober: string, choice: string): void {
    this.#choices.set(prober, (this.#choices.get(prober) ?? new Set()).add(choice));
    this.#askers.set(choice, (this.#askers.get(choice) ?? new Set()).add(prober));
  }

  /** Returns prober → choice. */
  only(): Map<string, string> {
    const found = new Map<string, string>();
    for (const [prober, choices] of this.#choices) {
      const [only] = choices;
      if (only !== undefined && choices.size === 1 && this.#askers.get(only)?.size === 1)
        found.set(prober, only);
    }
    return found;
  }
}
