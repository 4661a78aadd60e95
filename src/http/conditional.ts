import type { Encoding } from './compression.ts'

/** Returns a strong ETag. It names the bytes on the wire, so each encoding has its own. */
export function etagOf(tag: string, encoding?: Encoding): string {
  return encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`
}

/**
 * Returns the caller's ETag that names this asset, in whatever encoding; undefined if there is none. The 304 repeats it,
 * because it names the bytes that the caller may go on using.
 */
export function matchingEtag(
  ifNoneMatch: string | null,
  tag: string,
  plain = etagOf(tag),
): string | undefined {
  if (ifNoneMatch === null) return undefined
  // Browsers send the ETag of their copy unchanged.
  if (ifNoneMatch === plain) return plain
  if (ifNoneMatch.trim() === '*') return plain
  for (const entry of ifNoneMatch.split(',')) {
    const [, etag, bare] = /^\s*(?:W\/)?("([^"]*?)(?:-(?:zstd|br|gzip))?")\s*$/.exec(entry) ?? []
    if (bare === tag) return etag
  }
  return undefined
}
