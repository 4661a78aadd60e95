import { hashText } from './hash-text.ts'

/** A table of words in one string, because thousands of strings are as many objects to keep and to mark. */
export interface WordList {
  /** The place of a word among all; -1 when it is not one of them. */
  indexOf(word: string): number
  /** The word at a place. */
  at(index: number): string
}

/** @param words fewer than 65,536, each once */
export function createWordList(words: readonly string[]): WordList {
  const text = words.join('')
  const ends = new Uint32Array(words.length)
  /** Open-addressing table: hash → 1-based index of the word. */
  const slots = new Uint16Array(2 ** Math.ceil(Math.log2(words.length * 2 + 1)))
  const slotMask = slots.length - 1

  let end = 0
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? ''
    ends[index] = end += word.length
    let slot = startOf(word) & slotMask
    while (slots[slot] !== 0) slot = (slot + 1) & slotMask
    slots[slot] = index + 1
  }

  function at(index: number): string {
    return text.slice(ends[index - 1] ?? 0, ends[index])
  }

  function indexOf(word: string): number {
    let slot = startOf(word) & slotMask
    for (let found = slots[slot] ?? 0; found > 0; found = slots[slot] ?? 0) {
      if (at(found - 1) === word) return found - 1
      slot = (slot + 1) & slotMask
    }
    return -1
  }

  return { indexOf, at }
}

/** Where to look first. */
function startOf(word: string): number {
  const hash = hashText(word)
  return hash ^ (hash >>> 15)
}
