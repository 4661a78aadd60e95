/** Where cards come from and who signs them. Missing members are read from the environment of the build. */
export interface Service {
  /** The base URL; `MINTMARK_URL`. */
  readonly url?: string | undefined
  /** `MINTMARK_KEY` */
  readonly key?: string | undefined
  /** `MINTMARK_SECRET` */
  readonly secret?: string | undefined
  /** Until when the URLs are valid, in unix seconds; the start of the year after next. */
  readonly exp?: number | undefined
  /** `false` leaves parameters that this version of the client does not know to the service. */
  readonly check?: boolean | undefined
}
