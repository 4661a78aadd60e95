import type { ParameterError } from '../../errors.ts'

/** Where rows come from, for messages: a file's path, or `standard input`. */
export interface RowPlace {
  readonly source: string
  /** Counted from 1. */
  readonly line: number
}

/** How many mistakes are shown. */
const shownMax = 20

/** Mistakes in the rows of a command, each with its file and line. */
export class InputError extends Error {
  override readonly name = 'InputError'

  constructor(mistakes: readonly string[]) {
    const rest = mistakes.length - shownMax
    super([...mistakes.slice(0, shownMax), ...(rest > 0 ? [`and ${rest} more`] : [])].join('\n'))
  }
}

/** One mistake as a line: `cards.csv:3: title must be …`. */
export function mistakeAt({ source, line }: RowPlace, message: string): string {
  return `${source}:${line}: ${message}`
}

export function parameterMistake(place: RowPlace, { parameter, message }: ParameterError): string {
  return mistakeAt(place, `${parameter} ${message}`)
}
