import { escapeXml } from '../../svg/escape-xml.ts'
import type { Logo } from './badge.ts'

export const logoHeightPx = 14

/** The logo's element, centred in a badge of this height; `iconColor` is for an icon without a colour of its own. */
export function logoElement(
  logo: Logo | undefined,
  xPx: number,
  badgeHeightPx: number,
  iconColor: string,
): string {
  if (!logo) return ''
  const box = `x="${xPx}" y="${(badgeHeightPx - logoHeightPx) / 2}" width="${logo.widthPx}" height="${logoHeightPx}"`
  if (logo.kind === 'image') return `<image ${box} href="${escapeXml(logo.href)}"/>`
  return `<svg ${box} viewBox="${logo.viewBox}" fill="${logo.color ?? iconColor}"><path d="${logo.d}"/></svg>`
}
