import { describe, expect, test } from 'bun:test'
import { allBreaksOf, breaksOf } from '../../src/text/breaks.ts'
import { baseDirection } from '../../src/text/direction.ts'
import { itemize } from '../../src/text/itemize.ts'
import { itemizePlain } from '../../src/text/itemize-plain.ts'
import type { Family } from '../../src/text/types.ts'
import { cardTexts, generator, hostileTexts } from './texts.ts'

const families: readonly Family[] = ['sans', 'serif', 'serif-italic', 'mono']
const random = generator(11)
const signs = [...'.,:;!?()"\'%&-/+*#@$_“”‘’–—…\u00A0\u00AD×©®\u02C6']
const letters = [...'aeinorstABCXYZ0189éßøłğıѴждЩΑωώẞǅ']

/** Words of a few letters with signs around and in them: everything that plain prose has, and what it has not. */
function mixedText(): string {
  function word() {
    const characters = Array.from({ length: 1 + random(6) }, () =>
      random(5) === 0 ? signs[random(signs.length)] : letters[random(letters.length)],
    )
    return characters.join('')
  }
  return Array.from({ length: 1 + random(9) }, word).join(' ')
}

const texts = [
  ...[...cardTexts(), ...hostileTexts()].map(({ text }) => text),
  ...Array.from({ length: 4000 }, mixedText),
]

describe('The short ways for plain texts change nothing', () => {
  test('items are those of the general way', () => {
    let plain = 0
    for (const [at, text] of texts.entries()) {
      const family = families[at % families.length] ?? 'sans'
      if (baseDirection(text) !== 'ltr') continue
      const items = itemizePlain(text, family)
      if (items === undefined) continue
      plain++
      const general = itemize({ text, family, lang: undefined, direction: 'ltr' })
      expect({ text, items }).toEqual({ text, items: [...general.items] })
      expect(general.graphemeEnds).toEqual(Array.from({ length: text.length }, (_, end) => end + 1))
    }
    expect(plain).toBeGreaterThan(texts.length / 4)
  })

  test('breaks are those of the general way', () => {
    for (const text of texts)
      expect({ text, breaks: breaksOf(text) }).toEqual({ text, breaks: allBreaksOf(text) })
  })

  test('prose in Latin, Greek and Cyrillic letters takes the short way', () => {
    const prose = ['How we cut (cold) starts, “in half”: by 83%!', 'Πώς μειώσαμε τον χρόνο;', 'Что нового?']
    for (const text of prose) expect(itemizePlain(text, 'sans')).toBeDefined()
  })
})
