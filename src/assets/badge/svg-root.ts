import { escapeXml } from '../../svg/escape-xml.ts'
import type { Badge } from './badge.ts'

interface SvgRoot {
  readonly widthPx: number
  readonly heightPx: number
  /** The accessible name, which browsers also show as a tooltip. */
  readonly name: string
}

/** The root element. One link wraps the whole badge; with two links each part has its own, and stays readable alone. */
export function svgRoot(badge: Badge, { widthPx, heightPx, name }: SvgRoot, body: string): string {
  const { scale, links } = badge
  const size =
    scale === 1
      ? `width="${widthPx}" height="${heightPx}"`
      : `width="${round(widthPx * scale)}" height="${round(heightPx * scale)}" viewBox="0 0 ${widthPx} ${heightPx}"`
  const label = escapeXml(name)
  const content = links.length === 1 ? linkTo(links[0], body) : body
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="${links.length > 1 ? 'group' : 'img'}" aria-label="${label}"><title>${label}</title>${content}</svg>`
}

/** Wraps a part in its own link when the badge has one for each part. */
export function linkPart(badge: Badge, part: 0 | 1, content: string): string {
  return badge.links.length > 1 ? linkTo(badge.links[part], content) : content
}

/** A badge of a logo alone has the name of its icon. */
export function accessibleName({ title, logo }: Badge, label: string, message: string): string {
  if (title !== undefined) return title
  if (label && message) return `${label}: ${message}`
  return label || message || (logo?.kind === 'icon' ? logo.slug : '')
}

/** An invisible rectangle that makes the whole part clickable. */
export function clickArea(xPx: number, widthPx: number, heightPx: number): string {
  return `<rect width="${widthPx}" x="${xPx}" height="${heightPx}" fill="rgba(0,0,0,0)"/>`
}

function linkTo(href: string | undefined, content: string): string {
  return href === undefined ? content : `<a target="_blank" href="${escapeXml(href)}">${content}</a>`
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000
}
