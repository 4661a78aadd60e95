/** Numbers of this process that no answer shows. */
export interface Incidents {
  /** Log lines that could not be written. */
  readonly linesLost: number
  /** Errors that nothing caught. */
  readonly unhandledErrors: number
}
