import { expect, test } from 'bun:test'
import { createWordList } from '../../src/lib/words.ts'

test('a word list finds each of its words and nothing else', () => {
  const words = Array.from({ length: 5000 }, (_, index) => `${'word '.repeat(index % 7)}${index}`)
  const list = createWordList(['', ...words, '漢字', '🚀'])
  expect(list.indexOf('')).toBe(0)
  for (const [index, word] of words.entries()) {
    expect(list.indexOf(word)).toBe(index + 1)
    expect(list.at(index + 1)).toBe(word)
  }
  expect(list.at(5001)).toBe('漢字')
  expect(list.indexOf('🚀')).toBe(5002)
  for (const other of ['5000', 'word', '漢', '字', '🚀🚀', '01']) expect(list.indexOf(other)).toBe(-1)
})

test('an empty word list has no word', () => {
  expect(createWordList([]).indexOf('a')).toBe(-1)
})
