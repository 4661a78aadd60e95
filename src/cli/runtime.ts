import type { Service } from '../service.ts'

type Fetch = Service['fetch']

export interface ListenOptions {
  readonly hostname: string
  readonly port: number
  /** Several processes listen on the same port. */
  readonly reusePort: boolean
}

export interface Listener {
  readonly port: number
  /** Refuses new connections; resolves when the last request has its answer. */
  stop(): Promise<void>
}

/** What differs between Bun and Deno. */
export interface Runtime {
  listen(options: ListenOptions, fetch: Fetch): Listener
}
