import type { Encoding } from './compression.ts'

/** A strong ETag names the bytes on the wire, so each encoding has its own. `tag` is bare, without quotes. */
export function etagOf(tag: string, encoding?: Encoding): string {
  return encoding === undefined ? `"${tag}"` : `"${tag}-${encoding}"`
}

/**
 * The ETag under which the caller already has this answer, in whatever encoding: the one of theirs that matches,
 * since the answer must name the bytes that they may go on using.
 */
export function matchingEtag(ifNoneMatch: string | null, tag: string): string | undefined {
  if (ifNoneMatch === null) return undefined
  if (ifNoneMatch.trim() === '*') return etagOf(tag)
  for (const entry of ifNoneMatch.split(',')) {
    const [, etag, bare] = /^\s*(?:W\/)?("([^"]*?)(?:-(?:zstd|br|gzip))?")\s*$/.exec(entry) ?? []
    if (bare === tag) return etag
  }
  return undefined
}
