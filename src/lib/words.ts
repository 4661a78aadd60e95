/** The words of a text that spaces and line ends separate: long lists of names are written this way. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
