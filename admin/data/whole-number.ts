/** The number that a path or a cursor says in decimal digits; undefined for anything else, which not every database compares with. */
export function wholeNumber(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
