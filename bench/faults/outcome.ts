/** Results of a scenario. Each text is the evidence for people; the table shows its number. */
export interface Outcome {
  /** How often, by what was done: kills, calls, payments. */
  readonly counts: ReadonlyMap<string, number>
  /** Accepted payments, counted calls or issued keys that are gone. */
  readonly lost: ReadonlyMap<string, number>
  /** 5xx that say nothing, charged and not delivered, delivered and not charged, a promise that was not kept. */
  readonly wrong: ReadonlyMap<string, number>
}
