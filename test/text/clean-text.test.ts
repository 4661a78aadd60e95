import { describe, expect, test } from 'bun:test'
import { cleanText, countCodePoints } from '../../src/text/clean-text.ts'
import { hostileTexts } from './texts.ts'

describe('A cleaned text is safe to draw and to write into XML', () => {
  const cases: readonly [what: string, raw: string, clean: string][] = [
    ['composes letters and marks', 'to\u0302\u0301i', 'tối'],
    ['takes ligature characters apart', 'eﬃcient ﬁle ﬅop', 'efficient file stop'],
    ['turns controls that end words or lines into spaces', 'a\tb\nc\vd\fe\rf\r\ng\u0085h', 'a b c d e f g h'],
    [
      'removes all other controls',
      'nul\u0000l be\u0007ll\u001b[0m del\u007f\u0080\u009f',
      'null bell[0m del',
    ],
    ['treats line and paragraph separators as spaces', 'a\u2028b\u2029c', 'a b c'],
    ['drops lone surrogates and keeps pairs', 'a\ud800b\udc00c😀', 'abc😀'],
    ['drops bidi overrides and embeddings', 'abc \u202Egnp.exe\u202C def', 'abc gnp.exe def'],
    ['keeps bidi isolates', 'a \u2067עברית\u2069 b', 'a \u2067עברית\u2069 b'],
    ['drops noncharacters and the byte order mark', 'a\uFFFEb\uFFFFc\uFEFFd\u{1FFFE}', 'abcd'],
    ['collapses spaces of every width', '  a \u2003 b\u3000c  ', 'a b c'],
    ['keeps spaces that must not break', '1\u202F000\u00A0€', '1\u202F000\u00A0€'],
    ['keeps at most four marks on a base', `x${'\u0335'.repeat(20)}y`, `x${'\u0335'.repeat(4)}y`],
    ['keeps joiners and selectors', '👨\u200D👩 ❤\uFE0F می\u200Cخ', '👨\u200D👩 ❤\uFE0F می\u200Cخ'],
    ['leaves nothing of nothing', ' \u0000\ud800\u202E ', ''],
  ]
  for (const [what, raw, clean] of cases) {
    test(what, () => expect(cleanText(raw)).toBe(clean))
  }

  test('does not change when it is cleaned again', () => {
    for (const { text } of hostileTexts()) expect(cleanText(text)).toBe(text)
  })

  test('counts code points, not UTF-16 units', () => expect(countCodePoints('a😀é')).toBe(3))
})
