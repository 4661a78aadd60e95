import { escapeXml } from '../../svg/escape-xml.ts'
import type { Logo } from './badge.ts'

export const logoHeightPx = 14

/** The logo's element, centred in a badge of this height; `ink` colours an icon that has no colour of its own. */
export function logoElement(logo: Logo | undefined, xPx: number, badgeHeightPx: number, ink: string): string {
  if (!logo) return ''
  const box = `x="${xPx}" y="${(badgeHeightPx - logoHeightPx) / 2}" width="${logo.widthPx}" height="${logoHeightPx}"`
  if (logo.kind === 'image') return `<image ${box} href="${escapeXml(logo.href)}"/>`
  return `<svg ${box} viewBox="${logo.viewBox}" fill="${logo.color ?? ink}"><path d="${logo.d}"/></svg>`
}
