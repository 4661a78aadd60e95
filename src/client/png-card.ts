/** The URL of the same card as PNG, since most networks show no SVG; undefined for a URL that is not a card's. */
export function pngCardOf(url: URL): URL | undefined {
  if (!/\/api\/og(\.png)?$/.test(url.pathname)) return undefined
  const card = new URL(url)
  card.pathname = card.pathname.replace(/(\.png)?$/, '.png')
  card.searchParams.delete('format')
  return card
}
