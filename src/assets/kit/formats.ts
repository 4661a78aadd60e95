import type { TSchema } from '@sinclair/typebox'
import { isTranslucentColor, opaqueColor } from '../../lib/color.ts'
import { allowedValues } from '../../lib/fields.ts'
import { cleanText, countCodePoints } from '../../text/clean-text.ts'
import { parseMoreParts } from '../badge/badge.ts'
import { colorOf, parseColorScale, statusColors } from '../badge/color-names.ts'
import {
  cleanCode,
  codeMistake,
  cutCode,
  isDay,
  itemsMistake,
  momentOf,
  statsOf,
} from '../og/templates/forms.ts'
import texts from './format-texts.json' with { type: 'json' }
import grandfatheredTags from './grandfathered-tags.json' with { type: 'json' }

/** A format of text parameters. `parse` returns the canonical spelling, or undefined for text of another form. */
export interface Format {
  readonly parse: (text: string) => string | undefined
  readonly meaning: string
  readonly example: string
  /** Returns the mistake in a text, if there is more to say than the name of the format. */
  readonly mistake?: (text: string) => string | undefined
}

function alphaMistake(text: string): string | undefined {
  return isTranslucentColor(text)
    ? `must be opaque: the alpha of ${text.trim().slice(0, 40)} must be 1`
    : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: controls must not get into a URL
const hasControls = /[\u0000-\u001f\u007f]/

const plainAddress = /^(?:https?:\/\/|mailto:)[\w!#$%&'()*+,\-./:;=?@[\]~]+$/i

const checks: Readonly<Record<keyof typeof texts, Pick<Format, 'parse' | 'mistake'>>> = {
  'css-color': { parse: opaqueColor, mistake: alphaMistake },
  'language-tag': { parse: languageTag },
  brand: { parse: matching(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?(?:@[1-9]\d{0,8})?$/) },
  color: { parse: colorOf, mistake: alphaMistake },
  'color-scale': { parse: parseColorScale, mistake: alphaMistake },
  'badge-parts': { parse: parseMoreParts },
  'content-signals': { parse: parseSignals },
  initials: { parse: parseInitials },
  'document-path': { parse: (text) => (text.length >= 1 && text.length <= 256 ? text : undefined) },
  'color-or-auto': {
    parse: (text) => (['auto', 'random'].includes(text) ? 'auto' : colorOf(text)),
    mistake: alphaMistake,
  },
  status: {
    parse: (text) => (statusColors.has(text.toLowerCase()) ? text : colorOf(text)),
    mistake: alphaMistake,
  },
  link: { parse: parseLink },
  'iso-date': { parse: (text) => (isDay(text) ? text : undefined) },
  'event-time': { parse: (text) => momentOf(text)?.text },
  code: {
    parse: (text) => (codeMistake(text) === undefined ? cleanCode(text) : undefined),
    mistake: codeMistake,
  },
  'long-code': { parse: (text) => cutCode(text) || undefined },
  stats: { parse: parseStats },
  'card-items': {
    parse: (text) => (itemsMistake(text) === undefined ? text : undefined),
    mistake: itemsMistake,
  },
  'page-url': { parse: (text) => webUrl(text) },
  'site-id': { parse: matching(/^ms_[2-9a-hjkmnp-z]{16}$/) },
  logo: { parse: (text) => dataUrl(text) ?? (text.length <= 100 ? text : undefined) },
  picture: { parse: (text) => dataUrl(text) ?? webUrl(text, /^https:/i) },
  'page-picture': {
    parse: (text) => (text === 'none' || text === 'page' ? text : webUrl(text, /^https:/i)),
  },
  'id-suffix': { parse: matching(/^[A-Za-z0-9_-]{0,32}$/) },
}

export const formats: Readonly<Record<string, Format>> = Object.fromEntries(
  Object.entries(texts).map(([name, { meaning, example }]) => [
    name,
    {
      meaning: meaning.replace('{words}', [...statusColors.keys()].join(', ')),
      example,
      ...checks[name as keyof typeof texts],
    },
  ]),
)

function matching(pattern: RegExp): Format['parse'] {
  return (text) => (pattern.test(text) ? text : undefined)
}

/** A plus sign that a caller forgot to encode arrives as a space. */
function dataUrl(text: string): string | undefined {
  return text.startsWith('data:') ? text.replaceAll(' ', '+') : undefined
}

function parseLink(text: string): string | undefined {
  const url = text.length <= 2048 && URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol)) return undefined
  // A plain address is kept as given: `URL` would add a slash after the host.
  return plainAddress.test(text) ? text : url.href
}

const statsLengthMax = 240

function parseStats(text: string): string | undefined {
  const clean = cleanText(text)
  return countCodePoints(clean) <= statsLengthMax && statsOf(clean) ? clean : undefined
}

function webUrl(text: string, scheme = /^https?:/i): string | undefined {
  const url = text.trim()
  if (url.length > 2048 || hasControls.test(url) || !scheme.test(url) || !URL.canParse(url)) return undefined
  const { username, password } = new URL(url)
  return username === '' && password === '' ? url : undefined
}

const signalNames = ['search', 'ai-input', 'ai-train']

/** Signals in the order of their list. */
function parseSignals(text: string): string | undefined {
  const given = text.split(',', signalNames.length + 1).map((pair) => pair.trim().split(':'))
  const values = new Map(given.map(([name = '', value = '']) => [name, value]))
  const isRight = given.every(
    ([name = '', value = '', ...more]) =>
      signalNames.includes(name) && ['yes', 'no'].includes(value) && more.length === 0,
  )
  if (!isRight || values.size !== given.length) return undefined
  return signalNames.flatMap((name) => (values.has(name) ? `${name}:${values.get(name)}` : [])).join(',')
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Bounded in code points too, because one grapheme may have any number of marks. */
function parseInitials(text: string): string | undefined {
  const letters = cleanText(text)
  if (letters.length > 60 || /\s/u.test(letters)) return undefined
  const count = [...graphemes.segment(letters)].length
  return count >= 1 && count <= 3 ? letters : undefined
}

const charactersMax = 35

/** The canonical spelling of a well-formed BCP 47 tag (RFC 5646, 2.1), or undefined; in lower case where `Intl` refuses it, as `x-whatever`. */
export function languageTag(text: string): string | undefined {
  if (text.length > charactersMax) return undefined
  const tag = text.toLowerCase().replace(mandarin, 'zh')
  const name = replacements.get(tag)
  if (name !== undefined) return name
  if (!wellFormed.test(tag)) return undefined
  // An extended language subtag is a language of its own: zh-yue is yue.
  return canonicalTag(tag) ?? canonicalTag(tag.replace(extended, '')) ?? tag
}

const language = '(?:[a-z]{2,3}(?:-[a-z]{3}){0,3}|[a-z]{4,8})'
const script = '(?:-[a-z]{4})?'
const region = '(?:-(?:[a-z]{2}|\\d{3}))?'
const variants = '(?:-(?:[a-z\\d]{5,8}|\\d[a-z\\d]{3}))*'
const extensions = '(?:-[a-wyz\\d](?:-[a-z\\d]{2,8})+)*'
const privateUse = 'x(?:-[a-z\\d]{1,8})+'
const wellFormed = new RegExp(
  `^(?:${language}${script}${region}${variants}${extensions}(?:-${privateUse})?|${privateUse})$`,
)

/** Mandarin is written `zh`; runtimes differ in whether they map it. */
const mandarin = /^(?:zh-)?cmn(?=-|$)/

const extended = /^[a-z]{2,3}-(?=[a-z]{3}(?:-(?![a-z]{3}(?:-|$))|$))/

/** Grandfathered tags, registered before the grammar, with their preferred values. */
const replacements: ReadonlyMap<string, string> = new Map(Object.entries(grandfatheredTags))

/** The canonical spelling by `Intl`; undefined where that refuses the tag. */
export function canonicalTag(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0]
  } catch {
    return undefined
  }
}

/** The value that a text is for a field; undefined where it is none. Its length is not looked at. */
export function readValue(field: TSchema, text: string): string | number | undefined {
  if (field['type'] === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = field
    return /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
      ? Number(text)
      : undefined
  }
  const values = allowedValues(field)
  if (values !== undefined) return values.includes(text) ? text : undefined
  return field['format'] === undefined ? text : formats[field['format']]?.parse(text)
}
