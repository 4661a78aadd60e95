import { entryOf } from './arguments.ts'
import { usualCardFormat } from './card-tags.ts'
import { cardFormats } from './card-values.ts'

/**
 * Returns address and media type of the same card for `og:image`: in a format that networks show where it is an SVG;
 * undefined for an address that is not a card's.
 */
export function shareCardOf(address: URL): { readonly url: URL; readonly type: string } | undefined {
  const [ownPath] = /\/api\/og(\.\w+)?$/.exec(address.pathname) ?? []
  if (ownPath === undefined) return undefined
  const url = new URL(address)
  const { searchParams } = url
  const asked =
    searchParams.get('format') ?? Object.keys(cardFormats).find((each) => cardFormats[each]?.[0] === ownPath)
  const format = asked === undefined || asked === 'svg' ? usualCardFormat(searchParams.get('brand')) : asked
  const [path, type] = entryOf(cardFormats, format) ?? []
  if (path === undefined || type === undefined) return undefined
  url.pathname = address.pathname.replace(ownPath, path)
  searchParams.delete('format')
  return { url, type }
}
