/** Copies a part of a text, because the part by itself would keep the whole text in memory. */
export function detached(text: string): string {
  return `${text} `.slice(0, -1)
}
