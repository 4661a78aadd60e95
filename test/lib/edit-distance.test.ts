import { expect, test } from 'bun:test'
import { closestWord, editDistance } from '../../src/lib/edit-distance.ts'
import { randomFrom } from '../support/random.ts'

test('a word with up to two mistakes is found again, whatever its letters are', () => {
  const { pick } = randomFrom(40)
  const letters = [...'abcdefgäöüжщญ漢0129+.']
  for (let round = 0; round < 500; round++) {
    const word = Array.from({ length: 8 + (round % 12) }, () => pick(letters)).join('')
    const others = Array.from({ length: 20 }, () => word.replace(/.{4}/, '').repeat(3))
    let wrong = word
    for (let mistake = 0; mistake < 2; mistake++) {
      const at = pick([1, 3, 5])
      const instead = pick(['', pick(letters), wrong[at] + pick(letters), (wrong[at + 1] ?? '') + wrong[at]])
      wrong = wrong.slice(0, at) + instead + wrong.slice(at + 1)
    }
    if (wrong === word || editDistance(wrong, word, 2) > 2 || Math.min(wrong.length, word.length) < 8)
      continue
    expect(closestWord(wrong, [...others, word]), wrong).toBe(word)
  }
})

test('a word with other letters is not what was meant', () => {
  expect(closestWord('visualstudio', ['virtualradio', 'postgresql'])).toBeUndefined()
})
