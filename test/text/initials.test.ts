import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { cleanText } from '../../src/text/clean-text.ts'
import { initials } from '../../src/text/initials.ts'
import { badgeCases } from '../support/badge-cases.ts'

const cases = badgeCases.filter(
  ({ query, expect }) => query['kind'] === 'avatar' && typeof expect.json?.['initials'] === 'string',
)

for (const { id, query, expect: expected, why } of cases) {
  test(`${id}: ${query['name']} (${why})`, () => {
    const made = initials(cleanText(String(query['name'])), {
      uppercase: query['uppercase'] !== 'false',
      ...(query['length'] && { length: Number(query['length']) }),
      ...(query['lang'] && { lang: query['lang'] }),
    })
    expect(made).toBe(String(expected.json?.['initials']))
  })
}

interface Expectations {
  /** By script. Joining letters are separated by U+200C. */
  readonly names: Readonly<Record<string, readonly (readonly [name: string, initials: string])[]>>
  readonly table: readonly (readonly [name: string, initials: string, length?: number])[]
  /** Author fields of pages: bylines, several authors, roles, organisations. */
  readonly authors: readonly (readonly [field: string, initials: string])[]
}

const file = new URL('../fixtures/text/initials.json', import.meta.url)
const { names: namesByScript, table, authors }: Expectations = JSON.parse(readFileSync(file, 'utf8'))

for (const [name, expected, length] of table) {
  test(`${name} gives ${expected || 'nothing'}${length ? ` at length ${length}` : ''}`, () => {
    expect(initials(name, { uppercase: true, ...(length && { length }) })).toBe(expected)
  })
}

test('an author field gives the initials of the person named first', () => {
  const made = authors.map(([field]) => [field, initials(cleanText(field))])
  expect(made).toEqual(authors.map((row) => [...row]))
})

test('initials follow the casing of the language, and survive a language tag that is none', () => {
  expect(initials('ibrahim ilhan', { lang: 'tr' })).toBe('İİ')
  expect(initials('ibrahim ilhan', { lang: 'not a tag!' })).toBe('II')
})

describe('Readers of 28 scripts find the initials that they expect', () => {
  const names = Object.values(namesByScript).flat()
  test('the table is as large as it says', () => {
    expect(names.length).toBeGreaterThanOrEqual(200)
    expect(Object.keys(namesByScript).length - 2).toBe(28)
  })
  for (const [script, rows] of Object.entries(namesByScript)) {
    test(script, () => {
      expect(rows.map(([name]) => [name, initials(cleanText(name))])).toEqual(rows.map((row) => [...row]))
    })
  }
})
