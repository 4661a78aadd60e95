import { expect, test } from 'bun:test'
import { languageTag } from '../../src/assets/kit/formats.ts'
import { capitals } from '../../src/lib/capitals.ts'
import { initials } from '../../src/text/initials.ts'

test.each([
  ['EN-us', 'en-US'],
  ['zh-hant-tw', 'zh-Hant-TW'],
  ['iw', 'he'],
  ['zh-yue', 'yue'],
  ['zh-YUE-hk', 'yue-HK'],
  ['zh-cmn-Hans-CN', 'zh-Hans-CN'],
  ['cmn-hant', 'zh-Hant'],
  ['zh-min-nan', 'nan'],
  ['zh-min', 'zh-min'],
  ['no-bok', 'nb'],
  ['en-GB-oed', 'en-GB-oxendict'],
  ['i-klingon', 'tlh'],
  ['i-default', 'i-default'],
  ['sgn-BE-FR', 'sfb'],
  ['x-Whatever', 'x-whatever'],
  ['de-1996', 'de-1996'],
  ['es-419', 'es-419'],
  ['en-u-ca-buddhist', 'en-u-ca-buddhist'],
  ['ar-a-aaa-b-bbb-a-ccc', 'ar-a-aaa-b-bbb-a-ccc'],
  ['tr-x-y', 'tr-x-y'],
])('%s is the language tag %s, and letters are raised under it', (text, tag) => {
  expect(languageTag(text)).toBe(tag)
  expect(capitals('abc', tag)).toBe('ABC')
  expect(initials('ada byron', { lang: tag })).toBe('AB')
})

test.each([
  '',
  'a',
  '-',
  'en_US!',
  'en_US',
  'en-',
  '-en',
  'en--US',
  'x',
  'x-',
  'i-nothing',
  'a-DE',
  'de-419-DE',
  'en-a',
  'abcdefghi',
  'en-abcdefghi',
  'de-ä',
  'en US',
  `en-${'abcde-'.repeat(6)}x`,
  'en\u0000',
  'ſv',
])('%j is no language tag', (text) => expect(languageTag(text)).toBeUndefined())
