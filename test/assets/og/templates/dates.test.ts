import { expect, test } from 'bun:test'
import tables from '../../../../src/assets/og/templates/dates.json' with { type: 'json' }
import { cardLanguage, dateIn, leafIn, readingTimeIn } from '../../../../src/assets/og/templates/dates.ts'
import andMore from '../../../../src/text/data/and-more.json' with { type: 'json' }
import cases from './dates.json' with { type: 'json' }

test('dates, reading times and leaves are as the readers of each language write them', () => {
  expect(cases.dates.map(([lang = '']) => [lang, dateIn(lang, '2026-11-27')])).toEqual(cases.dates)
  expect(
    cases.readingTimes.map(([lang, minutes]) => [
      lang,
      minutes,
      readingTimeIn(String(lang), Number(minutes)),
    ]),
  ).toEqual(cases.readingTimes)
  const leaves = cases.leaves.map(([lang = '', date = '']) => {
    const { month, day, year } = leafIn(lang, date)
    return [lang, date, `${month} ${day} ${year}`]
  })
  expect(leaves).toEqual(cases.leaves)
})

test('a card without a language has that of its letters and words', () => {
  expect(cases.languages.map(([text = '']) => [text, cardLanguage(text)])).toEqual(cases.languages)
  expect(cardLanguage('Hello', 'de-CH')).toBe('de-CH')
  expect(cardLanguage('こんにちは', 'tlh')).toBe('ja')
})

test('every language that the product knows otherwise has dates of its own, whole and each month with one name', () => {
  const rows: Readonly<Record<string, Partial<Record<'like' | 'months' | 'date' | 'zero', string>>>> = tables
  for (const lang of Object.keys(andMore)) expect(rows[lang], lang).toBeDefined()
  expect(Object.keys(rows).length).toBeGreaterThan(90)
  for (const [lang, { like }] of Object.entries(rows)) {
    if (like !== undefined) expect(rows[like], lang).toBeDefined()
    const dates = Array.from({ length: 12 }, (_, month) =>
      dateIn(lang, `2026-${String(month + 1).padStart(2, '0')}-15`),
    )
    expect(new Set(dates).size, lang).toBe(12)
    for (const date of dates) expect(date, lang).not.toMatch(/[{}#|]|undefined/)
    expect(readingTimeIn(lang, 7), lang).not.toMatch(/[{}#|]|undefined/)
  }
})

test('the solar calendar of Iran is that of Intl, from 1850 to 2110', () => {
  const usual = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
    timeZone: 'UTC',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  const wrong: string[] = []
  for (let ms = Date.UTC(1850, 0, 1); ms < Date.UTC(2110, 0, 1); ms += 5 * 86_400_000) {
    const iso = new Date(ms).toISOString().slice(0, 10)
    const { day, year } = leafIn('fa', iso)
    const own = [day, year].map((text) =>
      text.replace(/\p{Nd}/gu, (digit) => String((digit.codePointAt(0) ?? 0) - 0x6f0)),
    )
    const parts = usual.formatToParts(ms)
    const wanted = ['day', 'year'].map((type) => parts.find((part) => part.type === type)?.value)
    if (own.join() !== wanted.join()) wrong.push(iso)
  }
  expect(wrong).toEqual([])
})
