import type { Service } from '../service.ts'

export type Environment = Readonly<Record<string, string | undefined>>

export interface CommandContext {
  readonly env: Environment
  readonly print: (text: string) => void
  readonly end: (exitCode: number) => void
}

export interface Listener {
  readonly port: number
  /** Refuses new connections; resolves when the last request has its answer. */
  stop(): Promise<void>
}

export interface Runtime {
  /** @param options with `reusePort` several processes listen on the same port */
  listen(
    options: { readonly hostname: string; readonly port: number; readonly reusePort: boolean },
    service: Pick<Service, 'fetch' | 'guardedStarts'>,
  ): Listener
}
