/** Counts by name. A name whose count is zero takes no memory. */
export class Counts {
  readonly #counts = new Map<string, number>()

  of(name: string): number {
    return this.#counts.get(name) ?? 0
  }

  /** The highest count of these names; 0 for none. */
  max(names: readonly string[]): number {
    let highest = 0
    for (const name of names) highest = Math.max(highest, this.of(name))
    return highest
  }

  add(names: readonly string[], change: 1 | -1): void {
    for (const name of names) {
      const count = this.of(name) + change
      if (count === 0) this.#counts.delete(name)
      else this.#counts.set(name, count)
    }
  }
}
