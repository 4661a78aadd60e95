export const concernKinds = [
  'database',
  'database_slow',
  'standby_lag',
  'disk',
  'payments_limited',
  'settler_gas',
  'payment_in_doubt',
  'key_quota',
  'key_end',
  'public_keys',
] as const

export type ConcernKind = (typeof concernKinds)[number]

/** Something that the operator has to act on, now or soon. */
export interface Concern {
  readonly kind: ConcernKind
  /**
   * Names one event, such as a key that passes 80 % of its quota on one day. It stays while the event lasts; a second
   * threshold and another day are other events.
   */
  readonly id: string
  /** `now`: something fails already. `soon`: it will, unless somebody acts. */
  readonly level: 'soon' | 'now'
  /** The name that people gave to the thing it is about. */
  readonly subject: string
  /** One sentence: what is wrong, and what helps where that is short. */
  readonly text: string
  /** The page of the operator's area where it is solved. */
  readonly path: string
  /** The measured values behind the sentence, for programs. */
  readonly values: Readonly<Record<string, string | number>>
}
