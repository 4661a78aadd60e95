/** The processes that share the database: which of them live, and what one of them does for all. */
export interface Peers {
  /** A unique name of this process, by which others can tell its reservations from those of processes that ended. */
  readonly ownName: string
  /** Whether the process of that name has ended, as far as can be known. */
  isGone(name: string): Promise<boolean>
  /**
   * Runs the work unless another process is at work of that name. Resolves with whether it ran. When a process dies in the
   * middle of it, another may begin some seconds later.
   */
  alone(work: string, run: () => Promise<void>): Promise<boolean>
}
