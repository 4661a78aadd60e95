/** Names with signs that belong to them: `C++`, `F#`, `a||b`, `.NET`, `@scope/name`, `--flag`. */

/** The start of a word up to a sign of its name, behind letters or before all of them, and what goes on with it. */
const behindLetters = /^.*[\p{L}\p{N}][+#&*=|^]+$/u
const afterSign = /^[\p{L}\p{N}+#&*=|^-]/u
const beforeLetters = /^(?:--?|[@#$~./\\]+)$/
const latinLetter = /^\p{Script=Latin}/u
/** A name behind which its signs stand: to the right of it in a right-to-left text too. */
const signsBehind = /(?<=\p{Script=Latin})(?:[+#*®™©]+|\(\))/gu
const signsBefore = /(?<=^|[\s(["'«“]|[\p{L}־]-)[.@#$~/\\-]+(?=\p{Script=Latin})/gu

/** Whether a break without a space at this offset would tear a sign from its name. */
export function tearsName(text: string, offset: number): boolean {
  const start = text.slice(text.lastIndexOf(' ', offset - 1) + 1, offset)
  const rest = text.slice(offset, offset + 2)
  return beforeLetters.test(start)
    ? latinLetter.test(rest)
    : afterSign.test(rest) && behindLetters.test(start)
}

/** Where a line may start with a sign and its name, which Unicode forbids: at `.NET` and `/usr`. */
export const nameAfterSpace = /(?<= )(?=\.\p{Lu}|\/\p{L})/gu

/** The text with Latin letters instead of the signs of Latin names, which gives these the direction of the name. */
export function withSignsAsLetters(text: string): string {
  return text.replace(signsBehind, asLetters).replace(signsBefore, asLetters)
}

function asLetters(found: string): string {
  return 'x'.repeat(found.length)
}
