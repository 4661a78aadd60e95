import { badgeColorWords, cssColorWords } from './card-values.ts'

const cssColor = `#?(?:[\\da-f]{3}f?|[\\da-f]{6}(?:ff)?)|(?:rgb|hsl|hwb)a?\\([^()]+\\)|${cssColorWords}`
const color = `${cssColor}|${badgeColorWords}`
const step = `[+-]?\\d+(?:\\.\\d+)?\\s*:\\s*(?:${color})`
const colorMeaning = 'the name of a colour, its hex digits, or an opaque colour as CSS writes it'

/**
 * Patterns of texts by the names that the catalog has for their forms, with what they must be. The service accepts no text
 * that does not fit, and may refuse one that does: it also knows icons and brands.
 */
export const parameterForms: Readonly<Record<string, readonly [pattern: RegExp, meaning: string]>> = {
  'css-color': [whole(cssColor), colorMeaning],
  color: [whole(color), colorMeaning],
  'color-or-auto': [whole(`auto|random|${color}`), colorMeaning],
  status: [whole(color), `a status word, or ${colorMeaning}`],
  'color-scale': [
    whole(`${color}|${step}(?:\\s*,\\s*${step})*`),
    `${colorMeaning}, or colours by value such as 0:red,80:green`,
  ],
  brand: [/^[a-z\d](?:[a-z\d-]{0,38}[a-z\d])?(?:@[1-9]\d{0,8})?$/, 'the slug of a brand, or slug@revision'],
  logo: [
    /^(?:(?!data:)[\s\S]{1,100}|data:image\/(?:svg\+xml|png|jpeg|webp);base64,[A-Za-z\d+/ ]+={0,2})$/,
    'the name of an icon, or a picture as data:image/…;base64',
  ],
  picture: [/^\s*https:|^data:/i, 'an https URL, or a picture as data:image/…;base64'],
  'page-picture': [/^\s*https:|^(?:none|page)$/i, 'none, page, or an https URL'],
  'language-tag': [/^[a-z]{1,8}(?:-[a-z\d]{1,8})*$/i, 'a language tag such as en or zh-Hant'],
  'iso-date': [/^\d{4}-\d\d-\d\d$/, 'a date such as 2026-11-27'],
  'event-time': [/^\d{4}-\d\d-\d\d(?:T[\d: +-]+|T[\d:.]+Z)?$/i, 'a date, or a time with its offset'],
  code: [/\S/, 'code'],
  'long-code': [/\S/, 'code'],
  stats: [/^[^|]+(?:\|[^|]+){0,2}$/, 'up to 3 values separated by |'],
  'card-items': [/^[\s\S]{0,400}$/, 'up to 3 items separated by |'],
  'page-url': [/^\s*https?:/i, 'an absolute http or https URL'],
  link: [/^\s*(?:https?|mailto):/i, 'an absolute http, https or mailto URL'],
  'site-id': [/^ms_[2-9a-hjkmnp-z]{16}$/, 'ms_ and 16 characters'],
  'content-signals': [/^[\s\w:,-]+$/, 'search, ai-input and ai-train, each with :yes or :no'],
  'badge-parts': [/^[^|]+(?:\|[^|]+){0,2}$/, 'up to 3 parts separated by |'],
  initials: [/^\s*\S(?:\S*\S)?\s*$/, '1 to 3 letters, digits or emoji without spaces'],
  'document-path': [/^[\s\S]{1,256}$/, 'a JSONPath that begins with $, or a path in XML'],
  'id-suffix': [/^[\w-]{0,32}$/, 'up to 32 letters, digits, hyphens and underscores'],
}

function whole(pattern: string): RegExp {
  return new RegExp(`^\\s*(?:${pattern})\\s*$`, 'i')
}
