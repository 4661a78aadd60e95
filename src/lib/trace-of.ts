/** Returns the stack of an error, for the log; the text of anything else that was thrown. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
