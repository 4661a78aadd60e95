import type { ChildProcess } from 'node:child_process'

/** Messages from the supervisor to a worker. */
export type ToWorker =
  | { readonly kind: 'report'; readonly round: number }
  | { readonly kind: 'total'; readonly question: number; readonly total: unknown }

/** Messages from a worker to the supervisor. */
export type ToSupervisor =
  /** The worker listens. */
  | { readonly kind: 'ready' }
  | { readonly kind: 'report'; readonly round: number; readonly report: unknown }
  /** Asks for the sum of all reports, at most this old. */
  | { readonly kind: 'question'; readonly question: number; readonly maxAgeMs: number }

/** Sends a message to the other process. Does nothing once that has gone. */
export function sendMessage(
  channel: Pick<ChildProcess, 'connected'> & { send?: ChildProcess['send'] },
  message: ToWorker | ToSupervisor,
): void {
  if (!channel.connected) return
  try {
    channel.send?.(message, () => {})
  } catch {
    // The channel was closed this moment.
  }
}
