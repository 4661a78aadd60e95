import type { Badge } from './badge.ts'
import { renderClassic } from './classic.ts'
import { renderForTheBadge } from './for-the-badge.ts'
import { type TextTools, writeText } from './sized-text.ts'
import { renderSocial } from './social.ts'
import { measureText } from './widths/measure.ts'

/** Text in the viewer's fonts, as wide as the tables say. */
const plainTools: TextTools = { measure: measureText, write: writeText }

/** The badge as SVG, with the geometry of badge-maker 6. */
export function renderBadge(badge: Badge, tools: TextTools = plainTools): string {
  if (badge.style === 'for-the-badge') return renderForTheBadge(badge, tools)
  return badge.style === 'social' ? renderSocial(badge, tools) : renderClassic(badge, badge.style, tools)
}
