/** Returns text without the characters that Markdown gives a meaning, or undefined if nothing that shows is left. */
export function plainText(raw: string | undefined, charsMax: number): string | undefined {
  const text = (raw ?? '')
    .replace(/\s+/g, ' ')
    .replace(/[[\]<>`*~\\]/g, (character) => substitutes[character] ?? '')
    .replace(/^[\s#+=-]+/, '')
    .trim()
  if (!visibleCharacter.test(text)) return undefined
  const characters = [...text]
  return characters.length <= charsMax
    ? text
    : `${characters
        .slice(0, charsMax - 1)
        .join('')
        .trimEnd()}…`
}

const visibleCharacter = /[^\p{C}\p{Z}\p{M}]/u
const substitutes: Readonly<Record<string, string>> = { '[': '(', ']': ')', '<': '‹', '>': '›', '`': '’' }
