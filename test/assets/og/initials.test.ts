import { describe, expect, test } from 'bun:test'
import { initialsOf } from '../../../src/assets/og/initials.ts'

describe('the initials on an author’s disc', () => {
  const cases = [
    ['Ada Lovelace', 'AL'],
    ['grace brewster murray hopper', 'GH'],
    ['Ludwig van Beethoven', 'LB'],
    ['Prince', 'P'],
    ['jean-luc picard', 'JP'],
    ['@mira_holm', 'MH'],
    ['Søren Kierkegaard (philosopher)', 'SK'],
    ['Лев Толстой', 'ЛТ'],
    ['Νίκος Καζαντζάκης', 'ΝΚ'],
    ['עדה לאבלייס', 'על'],
    ['أحمد الخوارزمي', 'أ'],
    ['الخوارزمي', 'خ'],
    ['夏目漱石', '夏'],
    ['세종대왕', '세'],
    ['क्षितिज शर्मा', 'क्षि'],
    ['3 Blue 1 Brown', '3B'],
    ['ßtefan', 'ß'],
    ['van', 'V'],
  ] as const
  for (const [name, initials] of cases) {
    test(`of ${name} are ${initials}`, () => expect(initialsOf(name)).toBe(initials))
  }

  test('follow the casing of the language', () => {
    expect(initialsOf('ibrahim ilhan', 'tr')).toBe('İİ')
    expect(initialsOf('ibrahim ilhan', 'not a tag!')).toBe('II')
  })

  test('are absent when a name has no letter', () => {
    for (const name of ['🚀', '—', '()', '... !']) expect(initialsOf(name)).toBeUndefined()
  })
})
