import { Buffer } from 'node:buffer'
import { Type } from '@sinclair/typebox'
import { string } from '../../lib/answer-schemas.ts'
import type { Badge, IconLogo } from './badge.ts'

/** The endpoint schema of shields.io, which badges and the counters answer as JSON. */
export const shieldsEndpointSchema = Type.Object(
  { schemaVersion: Type.Integer(), label: string, message: string },
  { additionalProperties: true },
)

/** A badge in that schema. shields.io refuses keys that it does not know. */
export function shieldsEndpoint({ label, message, color, labelColor, logo, style }: Badge) {
  return {
    schemaVersion: 1,
    label,
    message,
    color,
    ...(labelColor !== undefined && { labelColor }),
    ...(logo?.kind === 'icon' && iconOf(logo)),
    ...(logo?.kind === 'image' && svgOf(logo.href)),
    ...(style !== 'flat' && { style }),
  }
}

/** The schema has no word for the colour of text on the background. */
function iconOf({ slug, color }: IconLogo) {
  return { namedLogo: slug, ...(color !== undefined && color !== 'auto' && { logoColor: color }) }
}

/** The schema has no member for pictures of other types. */
function svgOf(href: string): { logoSvg: string } | undefined {
  const [start, base64 = ''] = href.split(',')
  return start?.startsWith('data:image/svg+xml')
    ? { logoSvg: Buffer.from(base64, 'base64').toString() }
    : undefined
}
