/** The words of a text that spaces and line ends separate: long lists of names are written this way. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
/** A table of fewer than 65,536 words, each once, in one string: thousands of strings are as many objects to keep and to mark. */
export function createWordList(words: readonly string[]) {
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

function startOf(word: string): number {
  const hash = hashText(word)
  return hash ^ (hash >>> 15)
}

/** The language of a BCP 47 tag without script and region, in lower case; empty without a tag. */
export function primaryLanguage(tag: string | null | undefined): string {
  return tag?.slice(0, tag.search(/-|$/)).toLowerCase() ?? ''
}

/** The FNV-1a hash of the UTF-16 units from `start` to `end`, as a signed 32-bit integer. Others can make texts that have the same. */
export function hashText(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5 | 0
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** Copies a part of a text, because the part by itself would keep the whole text in memory. */
export function detached(text: string): string {
  return `${text} `.slice(0, -1)
}

const georgian = /[\u10D0-\u10FF]/
const otherThanGeorgian = /[^\u10D0-\u10FF]+/g

/** Upper case for display. Georgian stays as it is: hardly any font has its capitals. */
export function capitals(text: string, lang?: string): string {
  function upper(part: string) {
    return lang === undefined ? part.toUpperCase() : raise(part, lang)
  }
  return georgian.test(text) ? text.replace(otherThanGeorgian, upper) : upper(text)
}

function raise(text: string, lang: string): string {
  try {
    return text.toLocaleUpperCase(lang)
  } catch {
    return text.toUpperCase()
  }
}

/** Removes what may be a key's secret, 64 hex digits, from a message for logs. Names of pictures have fewer digits. */
export function withoutSecrets(message: string): string {
  return message.replace(/[\da-f]{33,}/gi, '…')
}
