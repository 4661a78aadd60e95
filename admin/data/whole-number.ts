/** The number that a query or a form says in decimal digits; undefined for anything else, which not every database compares with. */
export function wholeNumber(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
