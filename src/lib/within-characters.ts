/** The text, or its beginning with an ellipsis. Characters are code points, as a caller's bounds count them. */
export function withinCharacters(text: string, charactersMax: number): string {
  const characters = Array.from(text.slice(0, 2 * charactersMax + 2))
  return characters.length <= charactersMax ? text : `${characters.slice(0, charactersMax - 1).join('')}…`
}

/** The beginning of a text that goes on, without a torn last word where that keeps half of it, with an ellipsis. */
export function cutAfterWord(start: string): string {
  const lastSpace = start.lastIndexOf(' ')
  return `${(lastSpace > start.length / 2 ? start.slice(0, lastSpace) : start).trimEnd()}…`
}
