import type { PageMetadata } from './page-metadata.ts'

/** Reads the content of a `<meta http-equiv="refresh">`. */
export function refreshOf(content = ''): { readonly seconds: number; readonly href: string } | undefined {
  const [, seconds = '', href] =
    /^([\d.]*)\s*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content.trimStart()) ?? []
  return href === undefined ? undefined : { seconds: Number.parseFloat(seconds) || 0, href }
}

/**
 * The URL that the page sends its readers to at once, as sites do that have moved.
 * @param target of the refresh, absolute
 */
export function moveOf(
  { headRefresh, refresh }: PageMetadata,
  target: string | null,
  url: string,
): string | undefined {
  const isAtOnce = (refreshOf(headRefresh)?.seconds ?? secondsMax + 1) <= secondsMax
  if (!isAtOnce || headRefresh !== refresh || target === null) return undefined
  return withoutHash(target) === withoutHash(url) ? undefined : target
}

function withoutHash(url: string): string {
  return url.split('#', 1)[0] ?? url
}

const secondsMax = 1
