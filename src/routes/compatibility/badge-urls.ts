import type { Target } from '../../http/target.ts'
import { percentDecode } from '../../lib/percent-decode.ts'
import { type BadgeDefaults, forgiveBadge, isColor } from './forgive-badge.ts'
import { assetTarget, readParameters } from './parameters.ts'

/** `/badge/…` of shields.io and badgen.net. Undefined where the path is neither's. */
export function fromBadgePath({ rawQuery }: Target, rest: string): Target | undefined {
  const [, content = '', format] = /^(.*?)(?:\.(svg|png|json))?\/?$/.exec(rest) ?? []
  const badge = readShieldsContent(content) ?? readBadgenPath(content)
  if (badge === undefined) return undefined
  return badgeTarget(format === undefined ? rawQuery : withFormat(rawQuery, format), badge)
}

/** `/static/v1?label=…` of shields.io. */
export function fromStaticQuery({ rawQuery }: Target): Target {
  return badgeTarget(rawQuery, { label: '', message: '', color: '' })
}

/** `/static/:label/:status/:color` of badgen.net. */
export function fromBadgenPath({ rawQuery }: Target, rest: string): Target | undefined {
  const badge = readBadgenPath(rest)
  return badge && badgeTarget(rawQuery, badge)
}

function badgeTarget(rawQuery: string, badge: BadgeDefaults): Target {
  return assetTarget('badge', forgiveBadge(readParameters(rawQuery), badge))
}

function withFormat(rawQuery: string, format: string): string {
  return `${rawQuery === '' ? '' : `${rawQuery}&`}format=${format}`
}

/**
 * `label-message-color` and `message-color`: two dashes mean one, `_` a space and two of them one. With a slash in it the
 * content is shields.io's only when it ends with a colour, since badgen.net parts by slashes.
 */
function readShieldsContent(content: string): BadgeDefaults | undefined {
  const pieces = splitAtSingleDashes(content)
  const parts = (pieces.length === 1 ? splitAtEmptyMessage(content) : pieces).map(readShieldsPart)
  const [color, message, label = '', ...more] = parts.reverse()
  if (!color || message === undefined || more.length > 0 || parts.includes(undefined)) return undefined
  if (content.includes('/') && !isColor(color)) return undefined
  return { label, message, color }
}

/** In a longer run of dashes each pair is a dash, and the one that is left over is a separator. */
function splitAtSingleDashes(content: string): string[] {
  const parts = ['']
  for (const piece of content.match(/--|[^-]+|-/g) ?? []) {
    if (piece === '-') parts.push('')
    else parts[parts.length - 1] += piece === '--' ? '-' : piece
  }
  return parts
}

/** Without a single dash the first pair is two separators around an empty message: `label--color`. */
function splitAtEmptyMessage(content: string): string[] {
  const [start, label = '', dashes] = /^([^-]*)(-+)/.exec(content) ?? []
  if (start === undefined || dashes === undefined) return [content]
  return [label, '-'.repeat(dashes.length / 2 - 1), content.slice(start.length).replaceAll('--', '-')]
}

/** Undefined for a part that is not well encoded. */
function readShieldsPart(part: string): string | undefined {
  return percentDecode(part.replace(/__|_/g, (found) => (found === '_' ? ' ' : '_')))
}

/** `:subject/:status` and `:subject/:status/:color`; blue is badgen.net's default. */
function readBadgenPath(path: string): BadgeDefaults | undefined {
  const parts = path.replace(/\/$/, '').split('/').map(percentDecode)
  const [label, message, color = 'blue', ...more] = parts
  if (!label || !message || more.length > 0) return undefined
  return { label, message, color }
}
