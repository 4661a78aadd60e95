import { expect, test } from 'bun:test'
import {
  cleanCode,
  codeMistake,
  cutCode,
  momentOf,
  statsOf,
} from '../../../../src/assets/og/templates/forms.ts'
import cases from './forms.json' with { type: 'json' }

test('a moment is a day that exists, or a time of it with an offset, and nothing else', () => {
  expect(cases.moments.map(([text]) => [text, momentOf(text ?? '')?.text ?? null])).toEqual(cases.moments)
})

test('stats are one to three values, each with what is behind its first ASCII space', () => {
  const read = cases.stats.map(([text]) => {
    const stats = statsOf(String(text))
    return [text, stats?.map(({ value, label }) => [value, label ?? null]) ?? null]
  })
  expect(read).toEqual(cases.stats)
})

test('code keeps its spaces and lines, has no controls, and cleaning it twice changes nothing more', () => {
  for (const [raw = '', wanted = ''] of cases.code) {
    expect(cleanCode(raw)).toBe(wanted)
    expect(cleanCode(wanted)).toBe(wanted)
  }
})

test('code over its bounds is a mistake that tells them, or is cut to them', () => {
  const lines = Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n')
  expect(codeMistake(lines)).toBe('must have at most 14 lines, not 20; overflow=ellipsis cuts longer code')
  expect(codeMistake('x'.repeat(1201))).toContain('must be 1 to 1200 characters, not 1201')
  expect(codeMistake('😀'.repeat(1200))).toBeUndefined()
  expect(codeMistake(' \n ')).toBe('must be 1 to 1200 characters')
  expect(cutCode(lines).split('\n')).toHaveLength(14)
  expect(cutCode(lines)).toEndWith('line 12\n…')
  expect([...cutCode('😀'.repeat(1300))]).toHaveLength(1200)
  for (const text of [lines, 'x'.repeat(5000), `${'y'.repeat(400)}\n`.repeat(20)])
    expect(codeMistake(cutCode(text))).toBeUndefined()
})
