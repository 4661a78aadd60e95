import type { Badge } from './badge.ts'
import { renderClassic } from './classic.ts'
import { renderForTheBadge } from './for-the-badge.ts'
import { type TextWriter, writeText } from './sized-text.ts'
import { renderSocial } from './social.ts'

/** The badge as SVG, with the geometry of badge-maker 6. `write` decides how its texts are drawn. */
export function renderBadge(badge: Badge, write: TextWriter = writeText): string {
  if (badge.style === 'for-the-badge') return renderForTheBadge(badge, write)
  return badge.style === 'social' ? renderSocial(badge, write) : renderClassic(badge, badge.style, write)
}
