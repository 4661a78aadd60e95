/** Letters to insert, remove, change, or swap with a neighbour. Words further apart than `distanceMax` are at infinity. */
export function editDistance(one: string, other: string, distanceMax: number): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1]
      const isSwap = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + Number(!isEqual),
        isSwap ? (beforeLast[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    if (Math.min(...current, ...last) > distanceMax) return Number.POSITIVE_INFINITY
    beforeLast = last
    last = current
  }
  return last[other.length] ?? one.length
}

/** The candidate probably meant; undefined if none is close, or `word` is one. Case, hyphens and underscores do not count. */
export function closestWord(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > wordCharsMax || candidates.includes(word)) return undefined
  const plain = plainWord(word)
  const letters = lettersOf(plain)
  const [closest] = candidates
    .map((candidate) => ({ candidate, name: plainWord(candidate) }))
    .map(({ candidate, name }) => ({ candidate, name, distanceMax: distanceMax(plain, name) }))
    // Most have another length or other letters, which is seen at once; a distance takes a step for each pair of letters.
    .filter(({ name, distanceMax }) => Math.abs(name.length - plain.length) <= distanceMax)
    .filter(({ name, distanceMax }) => bitsOf(letters ^ lettersOf(name)) <= 2 * distanceMax)
    .map((close) => ({ ...close, distance: editDistance(plain, close.name, close.distanceMax) }))
    .filter(({ distance, distanceMax }) => distance <= distanceMax)
    .sort((one, other) => one.distance - other.distance)
  return closest?.candidate
}

/** No name of ours is as long. */
const wordCharsMax = 100

function plainWord(word: string): string {
  return word.toLowerCase().replaceAll(/[-_]/g, '')
}

/** The letters of a word as a set of 32 bits, some of which stand for several letters. A change of one letter flips two at most. */
function lettersOf(word: string): number {
  let letters = 0
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) & 31)
  return letters
}

function bitsOf(set: number): number {
  let bits = 0
  for (let rest = set; rest !== 0; rest &= rest - 1) bits++
  return bits
}

/** A short word becomes another word by one letter (`PORT`, `SORT`), so in it only letters that changed places count. */
function distanceMax(word: string, candidate: string): number {
  const shorter = Math.min(word.length, candidate.length)
  if (shorter < 5) return Number(isAnagram(word, candidate))
  return shorter < 8 ? 1 : 2
}

function isAnagram(word: string, other: string): boolean {
  return word.length === other.length && [...word].sort().join('') === [...other].sort().join('')
}
