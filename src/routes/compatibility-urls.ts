import type { Target } from '../http/target.ts'
import { percentDecode } from '../lib/percent-decode.ts'
import { queryPairs } from '../lib/query-pairs.ts'

/**
 * URLs of shields.io and ui-avatars.com as ours, so that pages move by changing a host name. They come without
 * credentials, which makes them demo calls. Undefined for every other URL.
 */
export function fromCompatibilityUrl(target: Target): Target | undefined {
  const { path } = target
  if (path.startsWith(badgePrefix)) return fromBadgePath(target)
  if (path === '/static/v1') return assetTarget('badge', target, [])
  if (path === '/api/' || path === '/api') return fromAvatarQuery(target)
  return undefined
}

const badgePrefix = '/badge/'

/** A default that holds unless the query has one of these names. */
type Default = readonly [names: readonly string[], value: string]

/** `/badge/label-message-color` and `/badge/message-color`: two dashes mean one, `_` a space and two of them one. */
function fromBadgePath(target: Target): Target | undefined {
  const [, content = '', format] =
    /^([^/]*?)(?:\.(svg|png|json))?$/.exec(target.path.slice(badgePrefix.length)) ?? []
  const parts = splitAtSingleDashes(content).map(readPart)
  const [color, value, label = '', ...more] = parts.reverse()
  if (!color || !value || more.length > 0 || parts.includes(undefined)) return undefined
  return assetTarget('badge', target, [
    [['label', 'subject'], label],
    [['value', 'message'], value],
    [['color', 'colorB'], color],
    ...(format === undefined ? [] : [[['format'], format] as const]),
  ])
}

/** In a longer run of dashes each pair is a dash, and the one that is left over parts. */
function splitAtSingleDashes(content: string): string[] {
  const parts = ['']
  for (const piece of content.match(/--|[^-]+|-/g) ?? []) {
    if (piece === '-') parts.push('')
    else parts[parts.length - 1] += piece === '--' ? '-' : piece
  }
  return parts
}

/** Undefined where it is not well encoded. */
function readPart(part: string): string | undefined {
  return percentDecode(part.replace(/__|_/g, (found) => (found === '_' ? ' ' : '_')))
}

/** `/api/?name=…`, with the size, shape and format that ui-avatars gives unless it is told others. */
function fromAvatarQuery(target: Target): Target | undefined {
  const isAsked = queryPairs(target.rawQuery).some(({ name }) => name === 'name')
  if (!isAsked) return undefined
  return assetTarget('avatar', target, [
    [['size'], '64'],
    [['shape', 'rounded'], 'square'],
    [['format'], 'png'],
  ])
}

function assetTarget(kind: string, { rawQuery }: Target, defaults: readonly Default[]): Target {
  const given = new Set(queryPairs(rawQuery).map(({ name }) => name))
  const all: Default[] = [[[], kind], ...defaults, [['demo', 'key'], '1']]
  const missing = all.filter(([names]) => !names.some((name) => given.has(name)))
  const added = missing.map(([[name = 'kind'], value]) => `${name}=${encodeURIComponent(value)}`)
  return { path: '/api/transform', rawQuery: [...added, ...(rawQuery === '' ? [] : [rawQuery])].join('&') }
}
