import { escapeXml } from '../../svg/escape-xml.ts'
import { svgNumber } from '../../svg/svg-number.ts'
import type { Badge } from './badge.ts'

interface Size {
  readonly widthPx: number
  readonly heightPx: number
}

/**
 * The root element, with the accessible name, which browsers also show as a tooltip. One link wraps the whole badge;
 * with two links each part has its own, and stays readable alone.
 */
export function svgRoot(
  badge: Badge,
  { widthPx, heightPx }: Size,
  body: string,
  label = badge.label,
): string {
  const { scale, links } = badge
  const size =
    scale === 1
      ? `width="${widthPx}" height="${heightPx}"`
      : `width="${svgNumber(widthPx * scale, 3)}" height="${svgNumber(heightPx * scale, 3)}" viewBox="0 0 ${widthPx} ${heightPx}"`
  const name = escapeXml(accessibleName(badge, label))
  const content = links.length === 1 ? linkTo(links[0], body) : body
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="${links.length > 1 ? 'group' : 'img'}" aria-label="${name}"><title>${name}</title>${content}</svg>`
}

/** A badge of a logo alone has the name of its icon. */
function accessibleName({ title, logo, message }: Badge, label: string): string {
  if (title !== undefined) return title
  if (label && message) return `${label}: ${message}`
  return label || message || (logo?.kind === 'icon' ? logo.slug : '')
}

/** Wraps a part in its own link, where the badge has one for each part. */
export function linkPart({ links }: Badge, part: 0 | 1, content: string): string {
  return links.length > 1 ? linkTo(links[part], content) : content
}

/** An invisible rectangle that makes the whole part clickable, where the badge has a link for each part. */
export function clickArea({ links }: Badge, xPx: number, widthPx: number, heightPx: number): string {
  return links.length > 1
    ? `<rect width="${widthPx}" x="${xPx}" height="${heightPx}" fill="rgba(0,0,0,0)"/>`
    : ''
}

function linkTo(href: string | undefined, content: string): string {
  return href === undefined ? content : `<a target="_blank" href="${escapeXml(href)}">${content}</a>`
}
