import type { randomFrom } from '../../support/random.ts'
import cases from './random-page.json' with { type: 'json' }

type Random = ReturnType<typeof randomFrom>

const pieces = cases.pieces

const around = '<!doctype html>|<html lang="en">|<head>|</head>|<body>|</body>|</html>'.split('|')
const breaks = ['', '\n', '\r\n', '\r', '\n  ', '\n\t\t', '\r\n    ', ' ', '\n\n'] as const

/** A page of any quality: parts in any order, any white space between them, elements of the frame doubled or missing. */
export function randomPage({ below, pick }: Random): string {
  const lineBreak = below(3) === 0 ? undefined : pick(breaks)
  function space(): string {
    return lineBreak ?? pick(breaks)
  }
  function some(count: number): string {
    return Array.from({ length: below(count) }, () => space() + pick(pieces)).join('')
  }
  const [doctype, html, head, headEnd, body, bodyEnd, htmlEnd] = around.map((tag) =>
    below(6) === 0 ? '' : below(25) === 0 ? tag + tag : tag + space(),
  )
  return [space(), doctype, html, head, some(7), headEnd, body, some(5), bodyEnd, htmlEnd, space()].join('')
}

const charsets: readonly ((text: string) => Uint8Array)[] = [
  (text) => Buffer.from(text, 'utf8'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf8'),
  (text) => Buffer.from(text, 'latin1'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  // A file that was cut within a character.
  (text) => Buffer.concat([Buffer.from(`\ufeff${text}`, 'utf16le'), Buffer.from([0x41])]),
  (text) => Buffer.concat([Buffer.from(text, 'utf8'), Buffer.from([0xe6, 0x97])]),
]

export function randomBytes(random: Random): Uint8Array {
  return random.pick(charsets)(randomPage(random))
}
