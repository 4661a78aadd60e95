/** A page has one card, wherever in it somebody is sent. */
export function cardPageUrl(address: string): string {
  const url = new URL(address)
  url.hash = ''
  return url.href
}
