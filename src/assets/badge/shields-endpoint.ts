import { Buffer } from 'node:buffer'
import type { Badge } from './badge.ts'

/** The JSON schema of shields.io's endpoint badge, which refuses unknown keys. */
export interface ShieldsEndpoint {
  readonly schemaVersion: 1
  readonly label: string
  readonly message: string
  readonly color: string
  readonly labelColor?: string
  readonly namedLogo?: string
  readonly logoSvg?: string
  readonly logoColor?: string
  readonly style?: string
}

export function shieldsEndpoint(badge: Badge): ShieldsEndpoint {
  const { label, message, color, labelColor, logo, style } = badge
  return {
    schemaVersion: 1,
    label,
    message,
    color,
    ...(labelColor !== undefined && { labelColor }),
    ...(logo?.kind === 'icon' && { namedLogo: logo.slug, ...(logo.color && { logoColor: logo.color }) }),
    ...(logo?.kind === 'image' && svgOf(logo.href)),
    ...(style !== 'flat' && { style }),
  }
}

/** The schema has no member for pictures of other types. */
function svgOf(href: string): { logoSvg: string } | undefined {
  const [start, base64 = ''] = href.split(',')
  return start?.startsWith('data:image/svg+xml')
    ? { logoSvg: Buffer.from(base64, 'base64').toString() }
    : undefined
}
