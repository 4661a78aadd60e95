import { describe, expect, test } from 'bun:test'
import { badgeLogoRule as badgeRule } from '../../src/assets/badge/query.ts'
import { languageTag } from '../../src/assets/kit/formats.ts'
import { iconMistake, logoRule } from '../../src/assets/logo-rule.ts'
import { logoDataMistake } from '../../src/assets/og/own-pictures.ts'
import type { FieldMistake } from '../../src/brands/brand-form.ts'
import { checkTexts } from '../../src/brands/check-form.ts'
import { assets } from '../../src/catalog.ts'
import { decodeQuery } from '../../src/http/query.ts'
import { capitals } from '../../src/lib/words.ts'
import { avatarColor } from '../../src/routes/compatibility/avatar-urls.ts'
import { shieldsColor } from '../../src/routes/compatibility/badge-urls.ts'
import { initials } from '../../src/text/initials.ts'
import cases from './parameters.json' with { type: 'json' }

test.each(cases.values)('%s is the language tag %s, and letters are raised under it', (text, tag) => {
  expect(languageTag(text)).toBe(tag)
  expect(capitals('abc', tag)).toBe('ABC')
  expect(initials('ada byron', { lang: tag })).toBe('AB')
})

test.each([...cases.languages, `en-${'abcde-'.repeat(6)}x`])('%j is no language tag', (text) =>
  expect(languageTag(text)).toBeUndefined(),
)

const cardRule = logoRule(logoDataMistake)

describe('a name that no icon has', () => {
  test.each(cases.aliases)('%s is told the icon that was meant', (name, slug) => {
    expect(iconMistake(name)).toBe(`is not the name of an icon; did you mean ${slug}?`)
  })

  test.each(['Visual Studio Code', 'zzzz', 'q', '私', '...', 'java', 'x'.repeat(101)])(
    '%s is told where all are, where none is near',
    (name) => {
      expect(iconMistake(name)).toBe('is not the name of an icon; simpleicons.org shows them all')
    },
  )

  test('is told so by cards and by badges', () => {
    for (const rule of [cardRule, badgeRule])
      expect(rule({ logo: 'githubb' })).toEqual({
        parameter: 'logo',
        message: 'is not the name of an icon; did you mean github?',
      })
  })
})

/** One colour in every way of writing it. */
const written = cases.written
const translucent = cases.translucent
const none =
  '12345 | #12345 | steelbluish | rgb(70) | rgb(a b c) | hsl(1 2% 3% | url(#a) | currentcolor'.split(' | ')

/** Every parameter of ours that is a colour. */
const parameters = assets.flatMap(({ path, query }) =>
  Object.entries(query.properties)
    .filter(([, field]) => /color|status/.test(String(field['format'])))
    .map(([name]) => ({ path, query, name })),
)

function read({ query, name }: (typeof parameters)[number], text: string) {
  const decoded = decodeQuery(query, `${name}=${encodeURIComponent(text)}`)
  const mistake = 'errors' in decoded ? decoded.errors.find(({ parameter }) => parameter === name) : undefined
  const values: Readonly<Record<string, unknown>> = 'errors' in decoded ? decoded.right : decoded.value
  return { value: values[name], message: mistake?.message }
}

describe('a colour is what CSS writes, opaque', () => {
  test('the parameters are the ones that people know', () => {
    expect(new Set(parameters.map(({ name }) => name))).toEqual(
      new Set(['accent', 'background', 'color', 'labelColor', 'logoColor', 'status']),
    )
  })

  test.each(parameters.map((parameter) => [`${parameter.path} ${parameter.name}`, parameter] as const))(
    '%s',
    (_, parameter) => {
      for (const text of written) expect([text, read(parameter, text).value]).toEqual([text, '#4682b4'])
      for (const text of translucent)
        expect([text, read(parameter, text).message]).toEqual([
          text,
          expect.stringMatching(/^must be opaque/),
        ])
      for (const text of none)
        expect([text, read(parameter, text).message]).toEqual([
          text,
          expect.stringMatching(/^must be .*colour/),
        ])
    },
  )

  test('fields of a brand', () => {
    for (const field of ['accent', 'ground', 'ground2'] as const) {
      const mistakes: FieldMistake[] = []
      for (const text of written) expect(checkTexts({ [field]: text }, mistakes).look[field]).toBe('4682b4')
      expect(mistakes).toEqual([])
      for (const text of [...translucent, ...none]) checkTexts({ [field]: text }, mistakes)
      expect(mistakes.map((mistake) => mistake.field)).toEqual([...translucent, ...none].map(() => field))
      expect(mistakes[0]?.message).toContain('without alpha')
    }
  })

  test('URLs of other services, which leave alpha out', () => {
    for (const text of [...written, '#4682b480', 'rgb(70 130 180 / 50%)'])
      expect([text, shieldsColor(text), avatarColor(text)]).toEqual([text, '4682b4', '4682b4'])
  })
})
