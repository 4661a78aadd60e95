import { escapeXml } from '../../svg/escape-xml.ts'
import type { Logo } from './badge.ts'
import { iconColor } from './icon-color.ts'
import { textPaint } from './text-paint.ts'

export const logoHeightPx = 14

/** The logo's element, centred in a badge of this height, on a background `#rrggbb`. */
export function logoElement(
  logo: Logo | undefined,
  xPx: number,
  badgeHeightPx: number,
  background: string,
  textColor: string = textPaint(background).color,
): string {
  if (!logo) return ''
  const box = `x="${xPx}" y="${(badgeHeightPx - logoHeightPx) / 2}" width="${logo.widthPx}" height="${logoHeightPx}"`
  if (logo.kind === 'image') return `<image ${box} href="${escapeXml(logo.href)}"/>`
  const fill = iconColor(logo, background, textColor)
  return `<svg ${box} viewBox="${logo.viewBox}" fill="${fill}"><path d="${logo.d}"/></svg>`
}
