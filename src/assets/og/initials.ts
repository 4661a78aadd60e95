const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
/** Scripts in which two initials side by side read as initials. */
const pairing =
  /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{N}]/u

/**
 * The letters for an author's disc: first and last word's in scripts that have initials, one character in others;
 * undefined when the name has no letter or digit.
 */
export function initialsOf(name: string, lang?: string): string | undefined {
  const words = (name.includes('(') ? name.replace(/(?<!\()\([^)]*\)/g, ' ') : name).split(/[\s@_./–—-]+/u)
  const letters = words.map(firstLetter).filter((letter) => letter !== undefined)
  const [first] = letters
  const last = letters.at(-1)
  if (first === undefined || last === undefined) return undefined
  const isPair = letters.length > 1 && pairing.test(first) && pairing.test(last)
  return upper(isPair ? first + last : first, lang)
}

/** The first grapheme that is a letter or digit; an Arabic article does not count. */
function firstLetter(word: string): string | undefined {
  if (/^[a-z\d](?:[a-z\d]|$)/i.test(word)) return word[0]
  const start = word.search(/[\p{L}\p{N}]/u)
  if (start < 0) return undefined
  const rest = word.slice(start).replace(/^ال(?=\p{L}{2})/u, '')
  const [first] = segmenter.segment(rest)
  return first?.segment
}

/** In the language's own way (Turkish i), unless that makes more letters of it (German ß). */
function upper(letters: string, lang: string | undefined): string {
  const raised = lang === undefined ? letters.toUpperCase() : raise(letters, lang)
  return raised.length === letters.length ? raised : letters
}

function raise(letters: string, lang: string): string {
  try {
    return letters.toLocaleUpperCase(lang)
  } catch {
    return letters.toUpperCase()
  }
}
