import { expect, test } from 'bun:test'
import { RegExpParser } from '@eslint-community/regexpp'
import { analyse } from 'scslre'
import languages from '../../../../src/assets/og/templates/code-languages.json' with { type: 'json' }
import { guessLanguage, highlight } from '../../../../src/assets/og/templates/highlight.ts'
import { hostileTexts } from '../../../text/texts.ts'
import cases from './highlight.json' with { type: 'json' }
import snippets from './snippets.json' with { type: 'json' }

const names = Object.keys(languages)

test('twenty languages are known, and snippets of each are guessed', () => {
  expect(names).toHaveLength(20)
  expect(snippets.map(({ code }) => ({ language: guessLanguage(code) ?? null, code }))).toEqual(snippets)
  expect(new Set(snippets.map(({ language }) => language)).size).toBe(21)
})

test('every character of code is there in each language, in the line that it was in', () => {
  const codes = [
    ...snippets.map(({ code }) => code),
    ...hostileTexts().map(({ text }) => text.slice(0, 1200)),
  ]
  for (const language of [undefined, ...names])
    for (const code of codes) {
      const lines = highlight(code, language).map((spans) => spans.map(({ text }) => text).join(''))
      expect(lines, `${language}`).toEqual(code.split('\n'))
    }
})

test('words of code have the colours of their kinds', () => {
  const kinds = highlight('// Adds\nasync function add(a, b = 5) {\n  return `x` + "b"\n}', 'javascript').map(
    (spans) => spans.filter(({ kind }) => kind !== 'plain').map(({ kind, text }) => `${kind} ${text.trim()}`),
  )
  expect(kinds).toEqual([
    ['comment // Adds'],
    ['keyword async function', 'name add', 'number 5'],
    ['keyword return', 'string `x`', 'string "b"'],
    [],
  ])
  expect(highlight('runs-on: ubuntu', 'yaml')[0]?.[0]).toEqual({ kind: 'name', text: 'runs-on' })
  expect(highlight('+ a\n- b', 'diff').map(([span]) => span?.kind)).toEqual(['added', 'removed'])
  expect(highlight('if not a sign', undefined)).toEqual([[{ kind: 'plain', text: 'if not a sign' }]])
})

test('no sign of a language takes more time than a text is long', () => {
  const slow = Object.values(languages).flatMap(({ signs }) =>
    Object.keys(signs).filter((pattern) => {
      const literal = new RegExpParser().parseLiteral(`/${pattern.replaceAll('/', '\\/')}/m`)
      return analyse(literal).reports.length > 0
    }),
  )
  expect(slow).toEqual([])
})

/** What a scanner reads again and again where it is careless: openings without their ends. */
const motifs = cases.motifs

test('twelve hundred characters of any motif are scanned in each language', () => {
  for (const language of names)
    for (const motif of motifs)
      for (const code of [
        motif.repeat(1200).slice(0, 1200),
        `const a = ${motif.repeat(1200)}`.slice(0, 1200),
      ])
        expect(highlight(code, language).length).toBe(code.split('\n').length)
})
