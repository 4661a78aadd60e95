/** A consonant with its signs starts here: neither a sign nor a consonant below another one. */
const cluster = /(?<!\u17D2)[\u1780-\u17B3]/g
/** The distance between the letters of the script and ASCII. */
const distance = 0x1780 - 0x20

/** Offsets at which a word or a part of it may start. */
export function startsIn(text: string): number[] {
  return Array.from(text.matchAll(cluster), ({ index }) => index)
}

/** The text with a byte for each letter, because a list of words takes half the memory so. */
export function narrow(text: string): string {
  return text.replace(/[\u1780-\u17DD]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - distance))
}
