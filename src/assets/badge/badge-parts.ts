import { cleanText, countCodePoints } from '../../text/clean-text.ts'
import { colorOf } from './color-names.ts'

const partsMax = 3
const valueCharsMax = 60

/** The one spelling of further parts such as `arm64:blue|x64`, colours as `#rrggbb`; undefined for any other text. */
export function parseMoreParts(text: string): string | undefined {
  const parts = text.split('|', partsMax + 1).map(parsePart)
  return parts.length > partsMax || parts.includes(undefined) ? undefined : parts.join('|')
}

function parsePart(part: string): string | undefined {
  const [text, name] = valueAndColor(part)
  const value = cleanText(text)
  const length = countCodePoints(value)
  if (length < 1 || length > valueCharsMax) return undefined
  if (name === undefined) return value
  const color = colorOf(name)
  return color === undefined ? undefined : `${value}:${color}`
}

/** A part in two at its last colon. */
export function valueAndColor(part: string): [value: string, color?: string] {
  const colon = part.lastIndexOf(':')
  return colon < 0 ? [part] : [part.slice(0, colon), part.slice(colon + 1)]
}
