import { Buffer } from 'node:buffer'
import { withinCharacters } from '../../../lib/within-characters.ts'
import { cleanText } from '../../../text/clean-text.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import { findIcon } from '../../icons.ts'
import { badgeStyles } from '../badge.ts'
import { checkImageLogo } from '../check-image-logo.ts'
import { colorOf } from '../color-names.ts'
import type { BadgeQuery } from '../query.ts'

/** The facts in a document, in the words of a badge's own parameters. */
export interface DocumentFacts
  extends Partial<
    Pick<
      BadgeQuery,
      'label' | 'color' | 'labelColor' | 'logo' | 'logoColor' | 'logoSize' | 'logoWidth' | 'style'
    >
  > {
  readonly value: string
  /** The one number that was found, which chooses a colour by value. */
  readonly number?: number
  /** The document tells of an error, whose colours nobody may replace. */
  readonly isError?: boolean
}

export const labelCharsMax = 100
export const messageCharsMax = 200

/**
 * A document in the endpoint schema of shields.io. What is wrong in it is left out, except for its message.
 * Throws FetchFailure.
 */
export function endpointFacts(document: unknown): DocumentFacts {
  if (!isRecord(document)) throw new FetchFailure('invalid_document')
  if (![undefined, 1, '1'].includes(document['schemaVersion'] as number))
    throw new FetchFailure('invalid_document')
  const value = scalarText(document['message'])
  if (value === undefined) throw new FetchFailure('no_value')
  const label = scalarText(document['label'])
  const style = badgeStyles.find((one) => one === document['style'])
  const logoWidth = document['logoWidth']
  const isWidth = typeof logoWidth === 'number' && Number.isInteger(logoWidth) && logoWidth > 0
  return {
    value: withinCharacters(value, messageCharsMax),
    ...(document['isError'] === true && { isError: true }),
    ...(label !== undefined && { label: withinCharacters(label, labelCharsMax) }),
    ...colorsOf(document),
    ...logoOf(document),
    ...(document['logoSize'] === 'auto' && { logoSize: 'auto' as const }),
    ...(isWidth && logoWidth <= 200 && { logoWidth }),
    ...(style !== undefined && { style }),
  }
}

/** The values that a query found, joined as shields.io joins them. Throws FetchFailure. */
export function foundFacts(found: readonly unknown[]): DocumentFacts {
  if (found.length === 0 || !found.every(isScalar)) throw new FetchFailure('no_value')
  const [only] = found
  return {
    value: withinCharacters(joinedTexts(found), messageCharsMax),
    ...(found.length === 1 && typeof only === 'number' && { number: only }),
  }
}

/** The clean texts of values, as far as a badge shows them. Throws FetchFailure where one of these is empty. */
function joinedTexts(values: readonly unknown[]): string {
  // A query can find one long text thousands of times.
  const known = new Map<unknown, string>()
  let joined = ''
  for (const value of values) {
    const text = known.get(value) ?? scalarText(value)
    if (text === undefined) throw new FetchFailure('no_value')
    known.set(value, text)
    joined += joined === '' ? text : `, ${text}`
    if (joined.length > 2 * messageCharsMax) break
  }
  return joined
}

function isScalar(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
}

/** The clean text of a value that is one; undefined for an empty text and for what is no scalar. */
function scalarText(value: unknown): string | undefined {
  if (!isScalar(value)) return undefined
  // Far longer than any badge shows, and cleaning takes a while.
  return cleanText(String(value).slice(0, textUnitsMax)) || undefined
}

const textUnitsMax = 2_000

function colorsOf(document: Readonly<Record<string, unknown>>) {
  const color = colorIn(document['color'])
  const labelColor = colorIn(document['labelColor'])
  const logoColor = colorIn(document['logoColor'])
  return {
    ...(color !== undefined && { color }),
    ...(labelColor !== undefined && { labelColor }),
    ...(logoColor !== undefined && { logoColor }),
  }
}

/** `#rrggbb`; undefined for a text that is no colour. */
function colorIn(value: unknown): string | undefined {
  return typeof value === 'string' && value.length <= 100 ? colorOf(value) : undefined
}

/** The picture in the document wins over the icon that it names. */
function logoOf({ logoSvg, namedLogo }: Readonly<Record<string, unknown>>): { readonly logo?: string } {
  if (typeof logoSvg === 'string') {
    const logo = `data:image/svg+xml;base64,${Buffer.from(logoSvg).toString('base64')}`
    if (checkImageLogo(logo) === undefined) return { logo }
  }
  const icon = typeof namedLogo === 'string' ? findIcon(namedLogo.slice(0, 100)) : undefined
  return icon === undefined ? {} : { logo: icon.slug }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
