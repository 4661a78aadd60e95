import { Problem } from '../errors.ts'

/**
 * Throws for a path that a proxy in front may take for another one: with a segment that, decoded once, is `.` or `..`, or
 * holds a slash, a backslash or a control character.
 * @param holdsText the path has the text of a picture in it, where an encoded slash is part of that text
 */
export function checkPath(path: string, holdsText: boolean): void {
  if (!suspicious.test(path)) return
  const segments = path.split('/').map(decodeAscii)
  const parts = holdsText ? segments.flatMap((segment) => segment.split('/')) : segments
  if (parts.some((part) => part === '.' || part === '..' || forbidden.test(part))) throw wrongPath
}

/** Whether a path needs a closer look: nearly none does. */
const suspicious = /[\\\p{Cc}]|%(?:[01][\da-f]|2[ef]|5c|7f|c2%[89])|\/\.\.?(?:\/|$)/iu

const forbidden = /[/\\\p{Cc}]|%c2%[89][\da-f]/iu

/** Other characters stay encoded, because nothing else is asked about them. */
function decodeAscii(segment: string): string {
  return segment.replace(/%[0-7][\da-f]/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

export const wrongPath = new Problem(
  'invalid_path',
  'The path has . or .. in it, an encoded slash or backslash, or a control character.',
)
