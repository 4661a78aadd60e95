/** Where cards come from and who signs them. Missing members are read from the environment of the build. */
export interface Service {
  /** The base URL; `MINTMARK_URL`. */
  readonly url?: string | undefined
  /** `MINTMARK_KEY` */
  readonly key?: string | undefined
  /** `MINTMARK_SECRET` */
  readonly secret?: string | undefined
  /** Until when the addresses are valid, in unix seconds; for as long as the key unless given. */
  readonly exp?: number | undefined
  /** `query` signs `/api/og.png?…` in place of `/i/og/…png`. */
  readonly form?: 'path' | 'query' | undefined
  /** `false` leaves parameters that this version of the client does not know to the service. */
  readonly check?: boolean | undefined
}
