/** Decodes percent-encoding; undefined where the text is not well-formed percent-encoded UTF-8. */
export function percentDecode(text: string): string | undefined {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
