import { cardHeightPx, cardWidthPx } from '../raster/scene.ts'
import { escapeXml } from '../svg/escape-xml.ts'
import { type ErrorText, errorColors, errorFont, errorName, linesOf } from './error-picture.ts'

const leftPx = 88

/** The card that says what is wrong, in the width that was asked for. */
export function errorCard(query: Readonly<Record<string, unknown>>, text: ErrorText): string {
  const { status, code, title, detail } = text
  const widthPx = typeof query['width'] === 'number' ? query['width'] : cardWidthPx
  const heightPx = Math.round((widthPx * cardHeightPx) / cardWidthPx)
  const name = escapeXml(errorName(text))
  const titles = linesOf(title, 32, 2)
  const detailTopPx = 262 + 70 * (titles.length - 1) + 68
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${cardWidthPx} ${cardHeightPx}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<rect width="${cardWidthPx}" height="${cardHeightPx}" fill="${errorColors.ground}"/>`,
    `<rect width="${cardWidthPx}" height="14" fill="${errorColors.strong}"/>`,
    `<rect x="${leftPx}" y="108" width="120" height="60" rx="30" fill="${errorColors.soft}"/>`,
    `<g font-family="${errorFont}">`,
    `<text x="${leftPx + 60}" y="150" text-anchor="middle" font-size="34" font-weight="700" fill="${errorColors.strong}">${status}</text>`,
    ...textLines(titles, 262, 70, `font-size="60" font-weight="700" fill="${errorColors.ink}"`),
    ...textLines(
      detail === `${title}.` ? [] : linesOf(detail, 58, 4),
      detailTopPx,
      46,
      `font-size="33" fill="${errorColors.muted}"`,
    ),
    `<text x="${leftPx}" y="570" font-size="26" fill="${errorColors.muted}">${escapeXml(code)}</text>`,
    '</g></svg>',
  ].join('')
}

function textLines(lines: readonly string[], topPx: number, leadingPx: number, look: string): string[] {
  return lines.map(
    (line, index) => `<text x="${leftPx}" y="${topPx + index * leadingPx}" ${look}>${escapeXml(line)}</text>`,
  )
}
