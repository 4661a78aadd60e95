import { words } from '../../lib/words.ts'

export interface ErrorText {
  readonly status: number
  readonly code: string
  readonly title: string
  /** One sentence: what is wrong with the first wrong parameter, or the beginning of the detail. */
  readonly reason: string
  /** One or more sentences. */
  readonly detail: string
}

/** Draws an error of an asset for an `<img>`, which can show nothing but a picture. */
export interface ErrorPicture {
  /** Words in a path that mean this asset where nothing answers, as in `/api/og.gif` and `/badge/…`. */
  readonly words: readonly string[]
  /** Draws an SVG in the form of the asset; `size` is the parameter of this name, if it is valid. */
  draw(size: unknown, text: ErrorText): Promise<string>
}

/** The colours of error pictures; each text has a contrast of at least 4.5 on the background that it stands on. */
export const errorColors = {
  background: '#fafaf9',
  soft: '#fdecea',
  strong: '#b3261e',
  ink: '#1b1b1f',
  muted: '#55555c',
} as const

export const errorFont = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

/** The accessible name of an error picture, which browsers also show as a tooltip. */
export function errorName({ status, code, detail }: ErrorText): string {
  return `${status} ${code}: ${detail}`
}

/** Breaks a text into lines. Where there are more than allowed, the last one ends with an ellipsis. */
export function wrappedLines(text: string, charsMax: number, linesMax: number): readonly string[] {
  const lines: string[] = []
  for (const word of words(text)) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trim()
    if (lines.length > 0 && line.length <= charsMax) lines[lines.length - 1] = line
    else lines.push(shorten(word, charsMax))
  }
  const last = lines[linesMax - 1]
  if (lines.length <= linesMax || last === undefined) return lines
  return [...lines.slice(0, linesMax - 1), `${last.slice(0, charsMax - 2)} …`]
}

export function shorten(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).trimEnd()}…`
}
