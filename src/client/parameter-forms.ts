import { badgeColorWords, cssColorWords } from './card-values.ts'

const cssColor = `#?(?:[\\da-f]{3}f?|[\\da-f]{6}(?:ff)?)|(?:rgb|hsl|hwb)a?\\([^()]+\\)|${cssColorWords}`
const color = `${cssColor}|${badgeColorWords}`
const step = `[+-]?\\d+(?:\\.\\d+)?\\s*:\\s*(?:${color})`
const colorMeaning = 'the name of a colour, or an opaque one as CSS writes it'

type Form = readonly [pattern: RegExp, meaning: string]
const anyColor: Form = [whole(`auto|random|${color}`), colorMeaning]
const time: Form = [/^\d{4}-\d\d-\d\d(?:T[\d:.Z +-]+)?$/i, 'a date such as 2026-11-27']
const anyText: Form = [/\S/, 'text']
const threeParts: Form = [/^[^|]+(?:\|[^|]+){0,2}$/, 'up to 3 parts separated by |']

/**
 * Patterns of texts by the names that the catalog has for their forms, with what they must be. The service accepts no text
 * that does not fit, and may refuse one that does: it also knows icons and brands.
 */
export const parameterForms: Readonly<Record<string, Form>> = {
  'css-color': [whole(cssColor), colorMeaning],
  color: anyColor,
  'color-or-auto': anyColor,
  status: anyColor,
  'color-scale': [whole(`${color}|${step}(?:\\s*,\\s*${step})*`), `${colorMeaning}, or 0:red,80:green`],
  brand: [/^[a-z\d](?:[a-z\d-]{0,38}[a-z\d])?(?:@[1-9]\d{0,8})?$/, 'the slug of a brand, or slug@revision'],
  logo: [
    /^(?:(?!data:)[\s\S]{1,100}|data:image\/(?:svg\+xml|png|jpeg|webp);base64,[A-Za-z\d+/ ]+={0,2})$/,
    'the name of an icon, or a picture as data:image/…;base64',
  ],
  picture: [/^\s*https:|^data:/i, 'an https URL, or a picture as data:image/…;base64'],
  'page-picture': [/^\s*https:|^(?:none|page)$/i, 'none, page or an https URL'],
  'language-tag': [/^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i, 'a language tag such as zh-Hant'],
  'iso-date': time,
  'event-time': time,
  code: anyText,
  'long-code': anyText,
  'card-items': anyText,
  stats: threeParts,
  'page-url': [/^\s*https?:/i, 'an absolute http or https URL'],
  link: [/^\s*(?:https?|mailto):/i, 'an absolute http, https or mailto URL'],
  'site-id': [/^ms_[2-9a-hjkmnp-z]{16}$/, 'a site id'],
  'content-signals': [/^[\s\w:,-]+$/, 'signals such as search:yes'],
  'badge-parts': threeParts,
  initials: [/^\s*\S+\s*$/, '1 to 3 letters'],
  'document-path': anyText,
  'id-suffix': [/^[\w-]{0,32}$/, 'letters, digits, - and _'],
}

function whole(pattern: string): RegExp {
  return new RegExp(`^\\s*(?:${pattern})\\s*$`, 'i')
}
