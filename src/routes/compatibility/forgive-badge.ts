import { badgeStyles } from '../../assets/badge/badge.ts'
import { checkImageLogo } from '../../assets/badge/check-image-logo.ts'
import { colorOf } from '../../assets/badge/color-names.ts'
import { findIcon } from '../../assets/badge/find-icon.ts'
import { formats } from '../../assets/formats.ts'
import type { Parameter } from './parameters.ts'

type Parameters = ReadonlyMap<string, readonly string[]>

/** An empty message: the native parameter must not be empty, and invisible characters are drawn as nothing. */
const emptyMessage = '\u2060'

export interface BadgeDefaults {
  readonly label: string
  readonly message: string
  readonly color: string
}

/** The parameters of a badge, without the mistakes that shields.io and badgen.net overlook. */
export function forgiveBadge(parameters: Parameters, defaults: BadgeDefaults): readonly Parameter[] {
  const given = new Map([...parameters].map(([name, values]) => [aliases.get(name) ?? name, values]))
  const label = given.get('label')?.at(-1) ?? defaults.label
  const message = given.get('value')?.at(-1) ?? defaults.message
  const color =
    validLast(given.get('color'), isColor) ?? (isColor(defaults.color) ? defaults.color : undefined)
  const links = (given.get('link') ?? []).filter(isLink).slice(0, 2)
  return [
    ['label', label],
    ['value', message.trim() === '' ? emptyMessage : message],
    ...(color === undefined ? [] : [['color', color] as const]),
    ...links.map((link) => ['link', link] as const),
    ...[...given].flatMap(([name, values]): Parameter[] => {
      if (ownNames.has(name)) return []
      const accepts = rules.get(name)
      const value = accepts === undefined ? values.at(-1) : validLast(values, accepts)
      return value === undefined ? [] : [[name, value]]
    }),
  ]
}

const aliases = new Map([
  ['subject', 'label'],
  ['message', 'value'],
  ['colorB', 'color'],
  ['colorA', 'labelColor'],
  ['icon', 'logo'],
])

/** Written by `forgiveBadge` itself; `kind` and `status` mean nothing in these URLs. */
const ownNames = new Set(['label', 'value', 'color', 'link', 'kind', 'status'])

/** Values that are left out unless they are valid. */
const rules: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['style', (text) => text === 'classic' || (badgeStyles as readonly string[]).includes(text)],
  ['labelColor', isColor],
  ['logoColor', isColor],
  ['logo', isLogo],
  ['logoSize', (text) => text === 'auto'],
  ['logoWidth', (text) => /^[1-9]\d?$|^1\d\d$|^200$/.test(text)],
  ['cacheSeconds', (text) => /^\d{2,8}$/.test(text) && Number(text) >= 60 && Number(text) <= 31_536_000],
])

function validLast(values: readonly string[] | undefined, accepts: (text: string) => boolean) {
  return values?.findLast(accepts)
}

export function isColor(text: string): boolean {
  return colorOf(text) !== undefined
}

function isLink(text: string): boolean {
  return formats['link']?.parse(text) !== undefined
}

function isLogo(text: string): boolean {
  if (text.startsWith('data:')) return checkImageLogo(text.replaceAll(' ', '+')) === undefined
  return text.length <= 100 && !misspelt.test(text) && findIcon(text) !== undefined
}

/** Spellings that our search understands and shields.io does not: the badge would be wider than there. */
const misspelt = /_|-dot-|^\s|\s$/i
