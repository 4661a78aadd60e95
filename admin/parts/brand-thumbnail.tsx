/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'

/** A small card of one revision. It says the brand's name, which stands beside it: so it needs no text of its own. */
export function brandThumbnail({
  slug,
  revision,
}: {
  readonly slug: string
  readonly revision: number
}): Markup {
  const source = `/admin/brands/${slug}/${revision}/card`
  return <img class="thumbnail" src={source} width="1200" height="630" alt="" loading="lazy" />
}
