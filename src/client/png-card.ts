/** The URL of the same card as PNG, since most networks show no SVG; undefined for a URL that is not a card's. */
export function pngCardOf(url: URL): URL | undefined {
  if (!/\/api\/og(\.\w+)?$/.test(url.pathname)) return undefined
  const card = new URL(url)
  card.pathname = card.pathname.replace(/(\.\w+)?$/, '.png')
  for (const name of ['format', 'quality']) card.searchParams.delete(name)
  return card
}
