import { type Static, Type } from '@sinclair/typebox'
import { string } from '../../lib/answer-schemas.ts'
import { cacheLife, choice, decimal, formatted, integer, optional, text } from '../../lib/fields.ts'
import type { JsonObject } from '../../lib/json.ts'
import { checkPicture, isPictureType, pictureTypes } from '../../raster/picture-headers.ts'
import { pathBounds } from '../../svg/bounds.ts'
import { readSafeSvg } from '../../svg/read-safe-svg.ts'
import { svgNumber } from '../../svg/svg-values.ts'
import { countCodePoints } from '../../text/clean-text.ts'
import { findIcon } from '../icons.ts'
import { notWith, type Rule } from '../kit/asset.ts'
import { logoRule, readLogoData } from '../logo-rule.ts'
import { type Badge, badgeStyles, type Logo, valueAndColor } from './badge.ts'
import { colorByValue, colorOf, palette, statusColors } from './color-names.ts'
import { isLive, liveRules } from './live/source.ts'
import texts from './parameter-texts.json' with { type: 'json' }

const defaultLogoWidthPx = 14
const styleNames = [...badgeStyles, 'classic'] as const

export const badgeLook = {
  style: choice(styleNames, { default: 'flat', ...texts.style }),
  ...optional({
    labelColor: formatted('color', texts.labelColor),
    logo: formatted('logo', texts.logo),
    logoColor: formatted('color-or-auto', texts.logoColor),
    logoSize: choice(['auto'], texts.logoSize),
    logoWidth: integer(1, 200, texts.logoWidth),
    idSuffix: formatted('id-suffix', texts.idSuffix),
  }),
  scale: decimal(0.5, 4, { default: 1, ...texts.scale }),
  title: Type.Optional(text(0, 300, texts.title)),
}

export const badgeFormats = ['svg', 'png', 'json'] as const

export const badgeQuery = Type.Object({
  ...optional({
    label: text(0, 100, texts.label),
    value: text(1, 200, texts.value),
    status: formatted('status', texts.status),
    color: formatted('color-scale', texts.color),
    endpoint: formatted('page-url', texts.endpoint),
    json: formatted('page-url', texts.json),
    yaml: formatted('page-url', texts.yaml),
    toml: formatted('page-url', texts.toml),
    xml: formatted('page-url', texts.xml),
    query: formatted('document-path', texts.query),
    prefix: text(0, 100, texts.prefix),
    suffix: text(0, 100, texts.suffix),
    fallback: choice(['badge'], texts.fallback),
  }),
  ...badgeLook,
  ...optional({
    style: choice(styleNames, { ...texts.style, whenMissing: 'flat, or what an endpoint says' }),
    more: formatted('badge-parts', texts.more),
    width: integer(20, 1000, texts.width),
    lang: formatted('language-tag', texts.lang),
    emojiWidth: choice(['shields'], texts.emojiWidth),
    link: Type.Array(formatted('link', { description: 'An address' }), { maxItems: 2, ...texts.link }),
  }),
  format: choice(badgeFormats, { default: 'svg', ...texts.format }),
  cacheSeconds: cacheLife(86_400),
})

export type BadgeQuery = Static<typeof badgeQuery>

/** The fault of a logo given as a `data:` URL, as the end of a sentence; undefined if it may be shown. */
export function checkImageLogo(href: string): string | undefined {
  const logo = readLogoData(href, [...pictureTypes, 'svg+xml'])
  if (typeof logo === 'string') return logo
  if (isPictureType(logo.type)) return checkPicture(logo.type, logo.bytes)
  const svg = readSafeSvg(logo.bytes)
  return typeof svg === 'string' ? svg : undefined
}

export const badgeLogoRule = logoRule(checkImageLogo)

export const badgeRules: readonly Rule[] = [
  (query) => {
    const { value, status } = query
    if (value !== undefined || isLive(query)) return undefined
    return typeof status === 'string' && statusColors.has(status.toLowerCase())
      ? undefined
      : { parameter: 'value', message: 'is required unless status is a status word' }
  },
  notWith('more', 'style', 'social'),
  ({ label = '', value = '', more }) => {
    if (typeof more !== 'string') return undefined
    const parts = more.split('|').map((part) => valueAndColor(part)[0])
    if (countCodePoints(`${label}${value}${parts.join('')}`) <= textsCharsMax) return undefined
    const message = `must be shorter: label, value and more together have at most ${textsCharsMax} characters`
    return { parameter: 'more', message }
  },
  ...liveRules,
  badgeLogoRule,
]

/** A badge of several parts is drawn on the main thread, so that all of its texts have one bound. */
const textsCharsMax = 300

/** The badge that a valid query asks for. Without status and colour it is grey: nobody said that all is well. */
export function badgeOf(query: BadgeQuery): Badge {
  const { status = '', color: scale, link: links = [], emojiWidth, more, width: widthPxMin, lang } = query
  const words = badgeWords(query)
  const chosen = scale === undefined ? colorOf(status) : colorByValue(scale, words.message)
  const color = chosen ?? palette.lightgrey
  const further = more === undefined ? undefined : moreOf(more, color)
  const badge = { ...lookOf(query), ...words, color, links, emojiWidth, more: further, widthPxMin, lang }
  if (emojiWidth === undefined || badge.logo?.kind !== 'icon') return badge
  return { ...badge, logo: { ...badge.logo, keepsBrandColor: true } }
}

/** The further parts of a badge. One without a colour is grey, in the other grey beside a grey part. */
function moreOf(more: string, color: string) {
  let before = color
  return more.split('|').map((part) => {
    const [message = '', named] = valueAndColor(part)
    before = named ?? (before === palette.lightgrey ? palette.grey : palette.lightgrey)
    return { message, color: before }
  })
}

export function badgeWords({ label, value, status }: BadgeQuery): Pick<Badge, 'label' | 'message'> {
  const text = value ?? status ?? ''
  // A message of invisible characters alone is drawn as an empty one.
  return { label: label ?? '', message: /^\p{Default_Ignorable_Code_Point}+$/u.test(text) ? '' : text }
}

type Look = Partial<Static<ReturnType<typeof Type.Object<typeof badgeLook>>>> & { readonly scale: number }

export function lookOf({ style, idSuffix = '', scale, labelColor, title, ...look }: Look) {
  const shape = style === undefined || style === 'classic' ? 'flat' : style
  return { style: shape, idSuffix, scale, labelColor, title, logo: logoOf(look) }
}

function logoOf({ logo, logoColor: color, logoSize, logoWidth }: Omit<Look, 'scale'>): Logo | undefined {
  if (logo?.startsWith('data:'))
    return { kind: 'image', href: logo, widthPx: logoWidth ?? defaultLogoWidthPx }
  const icon = logo === undefined ? undefined : findIcon(logo)
  if (!icon) return undefined
  const frame = logoSize === 'auto' ? ownFrame(icon.d) : { viewBox: '0 0 24 24', widthPx: defaultLogoWidthPx }
  return { kind: 'icon', ...icon, ...frame, widthPx: logoWidth ?? frame.widthPx, color }
}

/** The frame that touches an icon on all sides, and the icon's width at the full height. */
function ownFrame(d: string) {
  const { left, top, right, bottom } = pathBounds(d)
  const [width, height] = [right - left, bottom - top]
  const viewBox = [left, top, width, height].map((value) => svgNumber(value)).join(' ')
  return { viewBox, widthPx: Math.round((defaultLogoWidthPx * width) / height) }
}

/** The endpoint schema of shields.io, which badges and the counters answer as JSON. */
export const shieldsEndpointSchema = Type.Object(
  { schemaVersion: Type.Integer(), label: string, message: string },
  { additionalProperties: true },
)

/** A badge in that schema. shields.io refuses keys that it does not know. */
export function shieldsEndpoint({ label, message, color, labelColor, logo, style }: Badge): JsonObject {
  const icon = logo?.kind === 'icon' ? logo : undefined
  const [start, base64 = ''] = logo?.kind === 'image' ? logo.href.split(',') : []
  const isSvg = start?.startsWith('data:image/svg+xml')
  return {
    ...{ schemaVersion: 1, label, message, color, labelColor },
    namedLogo: icon?.slug,
    // The schema has no word for the colour of text on the background.
    logoColor: icon?.color === 'auto' ? undefined : icon?.color,
    // The schema has no member for pictures of other types.
    logoSvg: isSvg ? Buffer.from(base64, 'base64').toString() : undefined,
    style: style === 'flat' ? undefined : style,
  }
}
