/** The words of a text that spaces and line ends separate: long lists of names are written this way. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
/** Each first word of a pair to the second one. */
export function wordPairs(text: string): ReadonlyMap<string, string> {
  const all = words(text)
  return new Map(all.flatMap((word, index) => (index % 2 === 0 ? [[word, all[index + 1] ?? '']] : [])))
}
