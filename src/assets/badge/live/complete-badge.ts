import { withinCharacters } from '../../../lib/human-format.ts'
import { cleanText } from '../../../text/clean-text.ts'
import type { FreePicture } from '../../kit/producer.ts'
import { colorByValue, palette } from '../color-names.ts'
import type { BadgeQuery } from '../query.ts'
import type { DocumentFacts } from './document-facts.ts'
import { messageCharsMax } from './source.ts'

/** The badge that a live badge is at the moment. What the caller says wins over the document, as at shields.io. */
export function completeBadge(query: BadgeQuery, facts: DocumentFacts): BadgeQuery {
  const { prefix = '', suffix = '' } = query
  const { logoColor, logo, ...said } = facts
  const given = withoutSource(query)
  const value =
    given.value ?? withinCharacters(cleanText(`${prefix}${facts.value}${suffix}`), messageCharsMax)
  const { number, isError, ...look } = said
  return {
    ...look,
    // A logo of the caller's does not have the colour of the document's.
    ...(given.logo === undefined && logo !== undefined && { logo }),
    ...(given.logo === undefined && logoColor !== undefined && { logoColor }),
    ...given,
    value,
    ...(isError === true ? errorColors(facts) : colorOf(given, facts)),
  } as BadgeQuery
}

const fallbackLabelCharsMax = 40

/** The flat grey badge in place of one whose document has no answer. */
export function fallbackBadge({ label, format }: BadgeQuery, message: string): FreePicture {
  const plainQuery = { value: message, color: palette.lightgrey, scale: 1, format }
  const labelled = label && { label: withinCharacters(label, fallbackLabelCharsMax) }
  return { plainQuery, query: { ...labelled, ...plainQuery } }
}

function withoutSource({
  endpoint: _endpoint,
  json: _json,
  yaml: _yaml,
  toml: _toml,
  xml: _xml,
  query: _query,
  prefix: _prefix,
  suffix: _suffix,
  fallback: _fallback,
  ...badge
}: BadgeQuery): BadgeQuery {
  return badge
}

function errorColors({ color, labelColor }: DocumentFacts) {
  return { color: color ?? palette.lightgrey, labelColor }
}

/** The caller's colour, which may depend on the value; else the document's, unless a status word chooses one. */
function colorOf({ color: scale, status }: BadgeQuery, { color: said, value, number }: DocumentFacts) {
  const chosen = scale === undefined ? undefined : colorByValue(scale, number ?? value)
  const color = chosen ?? (scale === undefined && status === undefined ? said : undefined)
  return { color }
}
