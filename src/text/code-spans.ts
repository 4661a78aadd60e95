/** Offsets of the backticks of a text that stand in pairs around code; none where one stands alone or encloses nothing. */
export function codeMarks(text: string): readonly number[] {
  if (!text.includes('`')) return []
  const parts = text.split('`')
  const isCode = (part: string) => part !== '' && part === part.trim()
  if (parts.length % 2 === 0 || !parts.every((part, at) => at % 2 === 0 || isCode(part))) return []
  const marks: number[] = []
  for (let at = text.indexOf('`'); at >= 0; at = text.indexOf('`', at + 1)) marks.push(at)
  return marks
}

/** Titles and subtitles of cards show what stands between backticks as code. */
export function hasCode(role: string): boolean {
  return role === 'title' || role === 'subtitle'
}

/** A text as it is read, without the marks of its code. */
export function withoutCodeMarks(text: string): string {
  return codeMarks(text).length === 0 ? text : text.replaceAll('`', '')
}
