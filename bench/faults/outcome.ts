/** What a scenario saw. A text is the evidence for people, its number is what the table shows. */
export interface Outcome {
  /** How often, by what was done: kills, calls, payments. */
  readonly counts: ReadonlyMap<string, number>
  /** Accepted payments, counted calls or issued keys that are gone. */
  readonly lost: ReadonlyMap<string, number>
  /** 5xx that say nothing, charged and not delivered, delivered and not charged, a promise that was not kept. */
  readonly wrong: ReadonlyMap<string, number>
}
