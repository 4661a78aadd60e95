/** A copy: a part of a text would keep the whole text in memory. */
export function apart(text: string): string {
  return `${text} `.slice(0, -1)
}
