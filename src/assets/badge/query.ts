import { type Static, Type } from '@sinclair/typebox'
import { cacheLife, choice, decimal, formatted, integer, optional, text } from '../../lib/fields.ts'
import { pathBounds } from '../../svg/bounds.ts'
import { svgNumber } from '../../svg/svg-values.ts'
import { countCodePoints } from '../../text/clean-text.ts'
import { findIcon } from '../icons.ts'
import type { Rule } from '../kit/asset.ts'
import { logoRule } from '../logo-rule.ts'
import { type Badge, badgeStyles, type Logo, type MorePart } from './badge.ts'
import { valueAndColor } from './badge-parts.ts'
import { checkImageLogo } from './check-image-logo.ts'
import { colorByValue, colorOf, palette, statusColors } from './color-names.ts'
import { isLive, liveRules } from './live/source.ts'

const defaultLogoWidthPx = 14

export const badgeLook = {
  style: choice([...badgeStyles, 'classic'], { default: 'flat', description: 'The style; classic is flat' }),
  ...optional({
    labelColor: formatted('color', {
      description: 'The colour of the left part',
      whenMissing: 'grey',
      aliases: ['colorA'],
    }),
    logo: formatted('logo', {
      description:
        'A picture before the label: the name of an icon of Simple Icons, or data:image/…;base64, (png, jpeg, gif, webp, svg+xml) of at most 8 KiB and 4 megapixels; logos are trademarks of their owners',
      example: 'github',
      aliases: ['icon'],
    }),
    logoColor: formatted('color-or-auto', {
      description: 'The colour of an icon; auto is that of text on its background',
      whenMissing: 'the brand’s own colour, lighter or darker where it would be hard to see',
    }),
    logoSize: choice(['auto'], {
      description: 'auto gives an icon the width that its shape has at the full height',
    }),
    logoWidth: integer(1, 200, {
      description: 'The width of the logo in pixels; its height is 14',
      whenMissing: '14',
    }),
    idSuffix: formatted('id-suffix', {
      description: 'Ends every id in the SVG, for pages that inline several badges',
    }),
  }),
  scale: decimal(0.5, 4, { default: 1, description: 'Multiplies the size' }),
  title: Type.Optional(
    text(0, 300, {
      description: 'The accessible name',
      whenMissing: 'label and value',
      example: 'The build passes',
    }),
  ),
}

const liveParameters = {
  ...optional({
    endpoint: formatted('page-url', {
      description:
        'The URL of a JSON document in the endpoint schema of shields.io, which says label, value and look; your own parameters take precedence',
      example: 'https://example.com/coverage.json',
    }),
    json: source('JSON'),
    yaml: source('YAML'),
    toml: source('TOML'),
    xml: source('XML'),
    query: formatted('document-path', {
      description:
        'Where in the document the value is: a JSONPath query of RFC 9535, in XML a path of elements such as /project/version or //Version/@x; several values are joined with commas',
      example: '$.version',
    }),
    prefix: text(0, 100, { description: 'A text before the value of the document', example: 'v' }),
    suffix: text(0, 100, { description: 'A text after the value of the document', example: '%' }),
    fallback: choice(['badge'], {
      description: 'badge answers with a grey badge, free of charge, where the document cannot be read',
      whenMissing: 'an error',
    }),
  }),
}

function source(format: string) {
  return formatted('page-url', {
    description: `The URL of a ${format} document in which query finds the value`,
    example: `https://example.com/package.${format.toLowerCase()}`,
  })
}

export const badgeFormats = ['svg', 'png', 'json'] as const

export const badgeQuery = Type.Object({
  ...optional({
    label: text(0, 100, { description: 'The left part', example: 'build', aliases: ['subject'] }),
    value: text(1, 200, {
      description: 'The right part',
      whenMissing: 'the status word',
      example: 'passing',
      aliases: ['message'],
    }),
    status: formatted('status', {
      description: 'A word that chooses the colour, or a colour',
      example: 'passing',
    }),
    color: formatted('color-scale', {
      description:
        'The colour of the right part; overrides status. Or several by value, as in 0:red,50:yellow,80:green: the one of the largest number that the value reaches',
      whenMissing: 'by status, else grey',
      aliases: ['colorB'],
    }),
  }),
  ...liveParameters,
  ...badgeLook,
  ...optional({
    style: choice([...badgeStyles, 'classic'], {
      description: 'The style; classic is flat',
      whenMissing: 'flat, or what an endpoint says',
    }),
    more: formatted('badge-parts', {
      description:
        'Up to 3 further parts, separated by |, each a value of 1 to 60 characters and, after its last colon, an optional colour; not with style=social, and not part of format=json',
      example: 'arm64:blue|x64',
    }),
    width: integer(20, 1000, {
      description: 'The width in pixels, before scale, that the badge has at least: its last part grows',
      whenMissing: 'as wide as its texts',
    }),
    lang: formatted('language-tag', {
      description: 'The language of the texts, for the capitals of style=for-the-badge',
      example: 'tr',
    }),
    emojiWidth: choice(['shields'], {
      description:
        'shields gives emoji the width that shields.io guesses, and an icon the brand’s colour where shields.io does',
      whenMissing: 'what fonts draw',
    }),
    link: Type.Array(formatted('link', { description: 'An address' }), {
      maxItems: 2,
      description: 'Where a click leads: once for the whole badge, twice for left and right',
    }),
  }),
  format: choice(badgeFormats, {
    default: 'svg',
    description: 'The response format; json is the endpoint schema of shields.io',
  }),
  cacheSeconds: cacheLife(86_400),
})

export type BadgeQuery = Static<typeof badgeQuery>

export const badgeLogoRule = logoRule(checkImageLogo)

export const badgeRules: readonly Rule[] = [
  (query) => {
    const { value, status } = query
    if (value !== undefined || isLive(query)) return undefined
    return typeof status === 'string' && statusColors.has(status.toLowerCase())
      ? undefined
      : { parameter: 'value', message: 'is required unless status is a status word' }
  },
  ({ more, style }) =>
    more !== undefined && style === 'social'
      ? { parameter: 'more', message: 'is not for style=social' }
      : undefined,
  ({ label = '', value = '', more }) =>
    typeof more === 'string' &&
    countCodePoints(
      `${label}${value}${more
        .split('|')
        .map((part) => valueAndColor(part)[0])
        .join('')}`,
    ) > textsCharsMax
      ? {
          parameter: 'more',
          message: `must be shorter: label, value and more together have at most ${textsCharsMax} characters`,
        }
      : undefined,
  ...liveRules,
  badgeLogoRule,
]

/** A badge of several parts is drawn on the main thread, so that all of its texts have one bound. */
const textsCharsMax = 300

/** The badge that a valid query asks for. Without status and colour it is grey: nobody said that all is well. */
export function badgeOf(query: BadgeQuery): Badge {
  const { status = '', color: scale, link = [], emojiWidth } = query
  const words = badgeWords(query)
  const chosen = scale === undefined ? colorOf(status) : colorByValue(scale, words.message)
  const color = chosen ?? palette.lightgrey
  const badge = {
    ...lookOf(query),
    ...words,
    color,
    links: link,
    ...(query.more !== undefined && { more: moreOf(query.more, color) }),
    ...(query.width !== undefined && { widthPxMin: query.width }),
    ...(query.lang !== undefined && { lang: query.lang }),
  }
  return emojiWidth === undefined ? badge : { ...badge, emojiWidth, ...asShields(badge) }
}

/** The further parts of a badge. One without a colour is grey, in the other grey beside a grey part. */
function moreOf(more: string, color: string): readonly MorePart[] {
  let before = color
  return more.split('|').map((part) => {
    const [message = '', named] = valueAndColor(part)
    before = named ?? (before === palette.lightgrey ? palette.grey : palette.lightgrey)
    return { message, color: before }
  })
}

function asShields({ logo }: Pick<Badge, 'logo'>): Pick<Badge, 'logo'> {
  return logo?.kind === 'icon' ? { logo: { ...logo, keepsBrandColor: true } } : {}
}

/** The words of a badge, known without looking at its logo. */
export function badgeWords({ label, value, status }: BadgeQuery): Pick<Badge, 'label' | 'message'> {
  return { label: label ?? '', message: visible(value ?? status ?? '') }
}

/** A message of invisible characters alone is drawn as an empty one. */
function visible(text: string): string {
  return /^\p{Default_Ignorable_Code_Point}+$/u.test(text) ? '' : text
}

type Look = Partial<Static<ReturnType<typeof Type.Object<typeof badgeLook>>>> & { readonly scale: number }

export function lookOf(look: Look): Omit<Badge, 'label' | 'message' | 'color' | 'links'> {
  const logo = logoOf(look)
  return {
    style: look.style === undefined || look.style === 'classic' ? 'flat' : look.style,
    idSuffix: look.idSuffix ?? '',
    scale: look.scale,
    ...(look.labelColor !== undefined && { labelColor: look.labelColor }),
    ...(look.title !== undefined && { title: look.title }),
    ...(logo && { logo }),
  }
}

function logoOf({ logo, logoColor, logoSize, logoWidth }: Look): Logo | undefined {
  if (logo === undefined) return undefined
  if (logo.startsWith('data:')) return { kind: 'image', href: logo, widthPx: logoWidth ?? defaultLogoWidthPx }
  const icon = findIcon(logo)
  if (!icon) return undefined
  const frame = logoSize === 'auto' ? ownFrame(icon.d) : { viewBox: '0 0 24 24', widthPx: defaultLogoWidthPx }
  return {
    kind: 'icon',
    ...icon,
    ...frame,
    ...(logoWidth !== undefined && { widthPx: logoWidth }),
    ...(logoColor !== undefined && { color: logoColor }),
  }
}

/** The frame that touches an icon on all sides, and the icon's width at the full height. */
function ownFrame(d: string) {
  const { left, top, right, bottom } = pathBounds(d)
  const [width, height] = [right - left, bottom - top]
  const viewBox = [left, top, width, height].map((value) => svgNumber(value)).join(' ')
  return { viewBox, widthPx: Math.round((defaultLogoWidthPx * width) / height) }
}
