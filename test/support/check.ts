/** A guarantee that must hold on Bun and on Deno. It uses `node:assert`, which both have. */
export interface Check {
  readonly name: string
  readonly run: () => Promise<void> | void
  /** Left out of the quick run, as it takes long. */
  readonly isSlow?: boolean
}
