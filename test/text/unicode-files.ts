import { existsSync, readFileSync } from 'node:fs'

const folder = '/usr/share/unicode/'

/** A text of one of Unicode's test files with the offsets at which it parts, its end included and its start left out. */
export interface BreakTest {
  readonly line: string
  readonly text: string
  readonly offsets: readonly number[]
}

/** A file of the Debian package `unicode-data` without comments; undefined where it is not installed. */
export function unicodeFile(name: string): readonly string[] | undefined {
  if (!existsSync(folder + name)) return undefined
  const lines = readFileSync(folder + name, 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

/** The version of the Unicode standard that a file belongs to, such as `15.0.0`. */
export function unicodeVersion(name: string): string | undefined {
  if (!existsSync(folder + name)) return undefined
  return /-(\d+\.\d+\.\d+)\.txt/.exec(readFileSync(folder + name, 'utf8'))?.[1]
}

/** The texts of a file of breaks: `÷` where there is one, `×` where there is none, code points in hexadecimal. */
export function breakTests(name: string): readonly BreakTest[] | undefined {
  return unicodeFile(name)?.map((line) => {
    const offsets: number[] = []
    let text = ''
    for (const token of (line.split('#')[0] ?? '').trim().split(/\s+/)) {
      if (token === '÷') offsets.push(text.length)
      else if (token !== '×') text += String.fromCodePoint(Number.parseInt(token, 16))
    }
    return { line, text, offsets: offsets.filter((offset) => offset > 0) }
  })
}
