/** Hints that the target of a link gives about it, one bit each. */
export const mayBeAuthor = 1
export const mayBeHome = 2

/**
 * Looks at a target where it stands. A page has hundreds of links, and nearly all of them lead neither to an author nor
 * to the front page: they are not cut out and decoded to find that out.
 */
export function linkTarget(text: string, start: number, end: number): number {
  let slashes = 0
  let found = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at)
    if (code === ampersand) return mayBeAuthor | mayBeHome
    if (code !== slash) continue
    slashes += 1
    if (isBeginning(text.charCodeAt(at + 1) | smallLetter, text.charCodeAt(at + 2) | smallLetter))
      found = mayBeAuthor
  }
  const isHost = slashes < slashesOfHost || (slashes === slashesOfHost && text.charCodeAt(end - 1) === slash)
  const isUrl = (text.charCodeAt(start) | smallLetter) === smallH
  return end - start <= 1 || (isHost && isUrl) ? found | mayBeHome : found
}

/**
 * Whether a word may begin with `au`, `co`, `jo` or `re`, as `author`, `column`, `contributor`, `journalist` and
 * `reporter` do in many languages.
 */
function isBeginning(first: number, second: number): boolean {
  return first === smallA
    ? second === smallU
    : second === smallO
      ? first === smallC || first === smallJ
      : first === smallR && second === smallE
}

const ampersand = 0x26
const slash = 0x2f
const smallLetter = 0x20
const smallA = 0x61
const smallC = 0x63
const smallE = 0x65
const smallH = 0x68
const smallJ = 0x6a
const smallO = 0x6f
const smallR = 0x72
const smallU = 0x75
/** `https://example.com/` */
const slashesOfHost = 3
