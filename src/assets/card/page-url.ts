/** A page has one card, whatever its fragment. */
export function cardPageUrl(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
