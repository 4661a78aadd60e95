import { escapeXml } from '../../svg/svg-values.ts'
import { type ErrorText, errorColors, errorFont, errorName, wrappedLines } from '../kit/error-picture.ts'

/** From this size on the reason is written below the status, and readable. */
const reasonSizePxMin = 112

/** The mark in place of an avatar: the status, and the reason where it has room. It has the avatar's size. */
export function errorAvatar(size: unknown, text: ErrorText): string {
  const { status, reason } = text
  const sizePx = typeof size === 'number' ? size : 128
  const name = escapeXml(errorName(text))
  const lines = sizePx < reasonSizePxMin ? [] : wrappedLines(reason, 18, 3)
  // Below 40 px three digits cannot be read.
  const mark = sizePx < 40 ? '!' : String(status)
  const middle = 50 - lines.length * 5
  const markSize = mark === '!' ? 64 : lines.length > 0 ? 26 : 32
  const reasons = lines.map(
    (line, index) =>
      `<text x="50" y="${middle + 20 + index * 9.5}" font-size="8" fill="${errorColors.ink}">${escapeXml(line)}</text>`,
  )
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 100 100" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<rect x="1.5" y="1.5" width="97" height="97" rx="48.5" fill="${errorColors.soft}" stroke="${errorColors.strong}" stroke-width="3"/>`,
    `<g font-family="${errorFont}" text-anchor="middle">`,
    `<text x="50" y="${middle}" dy=".36em" font-size="${markSize}" font-weight="700" fill="${errorColors.strong}">${mark}</text>`,
    ...reasons,
    '</g></svg>',
  ].join('')
}
