import { Buffer } from 'node:buffer'
import { withinCharacters } from '../../../lib/human-format.ts'
import { FetchFailure } from '../../../web/fetch-failure.ts'
import { findIcon } from '../../icons.ts'
import { badgeStyles } from '../badge.ts'
import { checkImageLogo } from '../check-image-logo.ts'
import { colorOf } from '../color-names.ts'
import type { BadgeQuery } from '../query.ts'
import { scalarText } from './find-value.ts'
import { messageCharsMax } from './source.ts'

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

const labelCharsMax = 100

/** A document in the endpoint schema of shields.io without what is wrong in it; the failure where its message has no text. */
export function endpointFacts(document: Readonly<Record<string, unknown>>): DocumentFacts | FetchFailure {
  if (![undefined, 1, '1'].includes(document['schemaVersion'] as number))
    return new FetchFailure('invalid_document')
  const value = scalarText(document['message'])
  if (value === undefined) return new FetchFailure('no_value')
  const label = scalarText(document['label'])
  const style = badgeStyles.find((one) => one === document['style'])
  const logoWidth = document['logoWidth']
  const isWidth = typeof logoWidth === 'number' && Number.isInteger(logoWidth) && logoWidth > 0
  return {
    value: withinCharacters(value, messageCharsMax),
    ...(document['isError'] === true && { isError: true }),
    ...(label !== undefined && { label: withinCharacters(label, labelCharsMax) }),
    ...Object.fromEntries(colorNames.flatMap((name) => colorIn(name, document[name]))),
    ...logoOf(document),
    ...(document['logoSize'] === 'auto' && { logoSize: 'auto' as const }),
    ...(isWidth && logoWidth <= 200 && { logoWidth }),
    ...(style !== undefined && { style }),
  }
}

const colorNames = ['color', 'labelColor', 'logoColor'] as const

function colorIn(name: string, value: unknown): (readonly [string, string])[] {
  const color = typeof value === 'string' && value.length <= 100 ? colorOf(value) : undefined
  return color === undefined ? [] : [[name, color]]
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
