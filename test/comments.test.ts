import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { Glob } from 'bun'

/**
 * How many comments of a room still begin with a word that puts its subject off. A comment is a sentence whose subject
 * names the thing. The numbers may only shrink.
 */
const counts: Readonly<Record<string, number>> = { admin: 0, bench: 0, src: 0, test: 0 }

const openings = /^(?:\/\*\*|\/\/|\*) ?(?:Of|Those|Whoever|The same|By|What|How much|As)\b/

test.each(Object.entries(counts))(
  'no more than the comments of before begin badly: %s, %i',
  (room, count) => {
    const found = [...new Glob(`${room}/**/*.{ts,tsx}`).scanSync('.')].flatMap((path) =>
      badOpenings(readFileSync(path, 'utf8')).map((line) => `${path}: ${line}`),
    )
    if (found.length > count) console.log(found.join('\n'))
    expect(found.length).toBeLessThanOrEqual(count)
  },
)

test('the first line of a comment is looked at, and no other', () => {
  const words = 'words'
  expect(
    badOpenings(
      `/** What is left. */\n// Text\n// of ${words}\n// As here\n/**\n * Those of it\n * By it\n */`,
    ),
  ).toEqual(['/** What is left. */', '* Those of it'])
})

/** The lines of a source with which such a comment begins. */
function badOpenings(source: string): readonly string[] {
  const lines = source.split('\n').map((line) => line.trim())
  return lines.filter((line, index) => {
    const before = lines[index - 1] ?? ''
    const isInside = line.startsWith('//')
      ? before.startsWith('//')
      : line.startsWith('* ') && before !== '/**'
    return !isInside && openings.test(line)
  })
}
