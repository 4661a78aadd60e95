import { colorOf } from '../../assets/badge/color-names.ts'
import { sourceParameters } from '../../assets/badge/live/source.ts'
import { findIcon } from '../../assets/icons.ts'
import { listIcons } from '../../assets/list-icons.ts'
import type { Target } from '../../http/request-context.ts'
import { parseCssColor, toHex } from '../../lib/color.ts'
import { words } from '../../lib/words.ts'
import {
  type BadgeService,
  type BadgeWords,
  badgeParameters,
  liveBadgeParameters,
} from './badge-parameters.ts'
import { assetTarget, decodeLeniently, type Parameters, readParameters } from './parameters.ts'

/** `/badge/…` of shields.io and badgen.net. Undefined where the path is neither's. */
export function fromBadgePath({ rawQuery }: Target, rest: string): Target | undefined {
  if (/^(?:dynamic|endpoint)(?:[./]|$)/.test(rest)) return fromLivePath(rawQuery, rest)
  const [, content = '', format] = withFormat.exec(rest) ?? []
  const shieldsWords = readShieldsContent(content)
  if (shieldsWords !== undefined) return badgeTarget(rawQuery, shieldsWords, shields, format)
  const badgenWords = readBadgenPath(content)
  return badgenWords && badgeTarget(rawQuery, badgenWords, badgen, format)
}

/** `/static/v1?label=…` of shields.io, with or without a format; `/static/:label/:status/:color` of badgen.net. */
export function fromStaticPath({ rawQuery }: Target, rest: string): Target | undefined {
  const [isShields, format] = /^v1(?:\.(svg|png|json))?\/?$/.exec(rest) ?? []
  if (isShields !== undefined) return badgeTarget(rawQuery, noWords, shieldsStatic, format)
  const words = readBadgenPath(rest)
  return words && badgeTarget(rawQuery, words, badgen, undefined)
}

const noWords: BadgeWords = { label: '', message: '', color: '' }

const withFormat = /^(.*?)(?:\.(svg|png|json))?\/?$/is

/** `/endpoint?url=…` of shields.io, with or without a format. */
export function fromEndpointPath({ path, rawQuery }: Target): Target | undefined {
  return fromLivePath(rawQuery, path.slice(1))
}

const livePath =
  /^(?:dynamic\/(?=json|yaml|toml|xml|regex))?(endpoint|json|yaml|toml|xml|regex)(?:\.(svg|png|json))?\/?$/

/** Nothing can interrupt an engine of patterns, so a badge of a pattern says that it is not read. */
const regexWords = { label: 'custom badge', message: 'regex is not read', color: 'lightgrey' }

function fromLivePath(rawQuery: string, rest: string): Target | undefined {
  const [, kind, format] = livePath.exec(rest) ?? []
  if (kind === 'regex' && rest.startsWith('dynamic/')) {
    const given = [...readParameters(rawQuery)].filter(([name]) => !/^color(?:B)?$/.test(name))
    const parameters = withFormatOf(format, new Map(given))
    return assetTarget('badge', badgeParameters(parameters, regexWords, shields))
  }
  const source = sourceParameters.find((name) => name === kind)
  if (source === undefined) return undefined
  const parameters = withFormatOf(format, readParameters(rawQuery))
  return assetTarget('badge', liveBadgeParameters(parameters, source, shields))
}

/** The reference badges of shields.io's own library have a logo of the usual width, whatever its two parameters say. */
const unread = { logoSize: undefined, logoWidth: undefined }
const shieldsNames = Object.entries({ colorB: 'color', colorA: 'labelColor', ...unread })

/** The query cannot change the message of the path. */
const shields: BadgeService = { names: new Map(shieldsNames), color: shieldsColor, icon: shieldsIcon }

const shieldsStatic: BadgeService = { ...shields, names: new Map([...shieldsNames, ['message', 'value']]) }

const badgen: BadgeService = {
  names: new Map(Object.entries({ icon: 'logo', iconWidth: 'logoWidth', cache: 'cacheSeconds' })),
  color: (text) => colorOf(text)?.replace('#', ''),
  icon: (name) => findIcon(name.slice(0, 100))?.slug,
}

function badgeTarget(rawQuery: string, words: BadgeWords, service: BadgeService, format: string | undefined) {
  const parameters = withFormatOf(format, readParameters(rawQuery))
  return assetTarget('badge', badgeParameters(parameters, listed(words, parameters, service), service))
}

function withFormatOf(format: string | undefined, given: Parameters): Parameters {
  return format === undefined ? given : new Map([...given, ['format', [format.toLowerCase()]]])
}

/** badgen.net's `list` parts what commas join. */
function listed(words: BadgeWords, parameters: ReturnType<typeof readParameters>, service: BadgeService) {
  if (service !== badgen || !parameters.has('list')) return words
  return { ...words, message: words.message.replace(/,\s*/g, ' | ') }
}

/** Two dashes mean one, `_` a space, two of them one. With a slash it is shields.io's only if it ends with a colour. */
function readShieldsContent(content: string): BadgeWords | undefined {
  const pieces = splitAtSingleDashes(content)
  const parts = (pieces.length === 1 ? splitAtEmptyMessage(content) : pieces).map(readShieldsPart)
  const [color, message, label = '', ...more] = parts.reverse()
  if (!color || message === undefined || more.length > 0) return undefined
  if (content.includes('/') && shieldsColor(color) === undefined) return undefined
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

function readShieldsPart(part: string): string {
  return decodeLeniently(part.replace(/__|_/g, (found) => (found === '_' ? ' ' : '_'))).toWellFormed()
}

/** `:subject/:status` and `:subject/:status/:color`; blue is badgen.net's default. */
function readBadgenPath(path: string): BadgeWords | undefined {
  const parts = path
    .replace(/\/$/, '')
    .split('/')
    .map((part) => decodeLeniently(part).toWellFormed())
  const [label, message, color = 'blue', ...more] = parts
  if (!label || !message || more.length > 0) return undefined
  return { label, message, color }
}

/** An opaque colour as shields.io reads it: its own words in our palette's colours, names and functions of CSS, hex digits. */
export function shieldsColor(text: string): string | undefined {
  const word = text.trim().toLowerCase()
  const css = ownWords.has(word) ? undefined : parseCssColor(word)
  return (css === undefined ? colorOf(word) : toHex(css))?.replace('#', '')
}

/** The words that shields.io defines itself: they win over CSS, where `green` is another colour. */
const ownWords = new Set(
  words(`brightgreen green yellowgreen yellow orange red blue grey lightgrey gray lightgray
    critical important success informational inactive`),
)

/** The icon by slug, title, or title with hyphens, in any case, as shields.io finds it; undefined for every other spelling. */
function shieldsIcon(name: string): string | undefined {
  slugs ??= slugsByName()
  return slugs.get(hyphenated(name))
}

let slugs: ReadonlyMap<string, string> | undefined

function slugsByName(): ReadonlyMap<string, string> {
  const icons = listIcons()
  const named = icons.flatMap(({ slug, names }) => names.map((name) => [hyphenated(name), slug] as const))
  return new Map([...named.reverse(), ...icons.map(({ slug }) => [slug, slug] as const)])
}

function hyphenated(name: string): string {
  return name.toLowerCase().replaceAll(' ', '-')
}
