import type { Words } from './peers.ts'

/** A small seeded generator (mulberry32), so that every run and every peer draws the same texts. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const vocabulary =
  'how we cut cold starts in half and why your avatar service should too a field report on caching glyph outlines honest benchmarks what measured failed shipped today notes from the north coast release faster builds smaller bundles design tokens explained gentle introduction to proofs every page gets card you write one command'.split(
    ' ',
  )

/** Cards that differ while their words repeat: the usual day of a site. */
export function knownWords(seed: number): () => Words {
  const random = randomFrom(seed)
  function word() {
    return vocabulary[Math.floor(random() * vocabulary.length)] ?? ''
  }
  return () => words(word)
}

/** Cards in which no word was seen before. */
export function newWords(seed: number): () => Words {
  const random = randomFrom(seed)
  function letter() {
    return 'etaoinshrdlucmfwypvbgkjqxz'[Math.floor(random() ** 2 * 26)] ?? 'e'
  }
  function word() {
    return Array.from({ length: 3 + Math.floor(random() * 6) }, letter).join('')
  }
  return () => words(word)
}

function words(word: () => string): Words {
  function line(count: number, limit: number) {
    const text = Array.from({ length: count }, word).join(' ').slice(0, limit).trim()
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  return {
    title: line(11, 76),
    subtitle: line(17, 98),
    author: `${line(1, 12)} ${line(1, 12)}`,
    url: `${word()}.example.com`,
  }
}
