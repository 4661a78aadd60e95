/** The URL of the same card as a PNG, as most networks show no SVG; undefined where the URL is of no card. */
export function pngCardOf(url: URL): URL | undefined {
  if (!/\/api\/og(\.png)?$/.test(url.pathname)) return undefined
  const card = new URL(url)
  card.pathname = card.pathname.replace(/(\.png)?$/, '.png')
  card.searchParams.delete('format')
  return card
}
