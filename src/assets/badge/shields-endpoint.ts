import { Type } from '@sinclair/typebox'
import { string } from '../../lib/answer-schemas.ts'
import type { JsonObject } from '../../lib/json.ts'
import type { Badge } from './badge.ts'

/** The endpoint schema of shields.io, which badges and the counters answer as JSON. */
export const shieldsEndpointSchema = Type.Object(
  { schemaVersion: Type.Integer(), label: string, message: string },
  { additionalProperties: true },
)

/** A badge in that schema. shields.io refuses keys that it does not know. */
export function shieldsEndpoint({ label, message, color, labelColor, logo, style }: Badge): JsonObject {
  const icon = logo?.kind === 'icon' ? logo : undefined
  const [start, base64 = ''] = logo?.kind === 'image' ? logo.href.split(',') : []
  const isSvg = start?.startsWith('data:image/svg+xml')
  return {
    ...{ schemaVersion: 1, label, message, color, labelColor },
    namedLogo: icon?.slug,
    // The schema has no word for the colour of text on the background.
    logoColor: icon?.color === 'auto' ? undefined : icon?.color,
    // The schema has no member for pictures of other types.
    logoSvg: isSvg ? Buffer.from(base64, 'base64').toString() : undefined,
    style: style === 'flat' ? undefined : style,
  }
}
