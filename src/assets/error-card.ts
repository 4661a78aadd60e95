import { escapeXml } from '../svg/svg-values.ts'
import { type ErrorText, errorColors, errorFont, errorName, wrappedLines } from './kit/error-picture.ts'
import { cardSizes, sizeNames } from './og/card-sizes.ts'

const leftPx = 88

/** The card that says what is wrong, in the size that was asked for. */
export function errorCard(size: unknown, text: ErrorText): string {
  const { status, code, title, detail } = text
  const shown = cardSizes[sizeNames.find((each) => each === size) ?? 'og']
  // Drawn 1200 wide, whatever the size: a taller card has room below.
  const heightPx = Math.round((1200 * shown.heightPx) / shown.widthPx)
  const name = escapeXml(errorName(text))
  const titles = wrappedLines(title, 32, 2)
  const detailTopPx = 262 + 70 * (titles.length - 1) + 68
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${shown.widthPx}" height="${shown.heightPx}" viewBox="0 0 1200 ${heightPx}" role="img" aria-label="${name}">`,
    `<title>${name}</title>`,
    `<rect width="1200" height="${heightPx}" fill="${errorColors.background}"/>`,
    `<rect width="1200" height="14" fill="${errorColors.strong}"/>`,
    `<rect x="${leftPx}" y="108" width="120" height="60" rx="30" fill="${errorColors.soft}"/>`,
    `<g font-family="${errorFont}">`,
    `<text x="${leftPx + 60}" y="150" text-anchor="middle" font-size="34" font-weight="700" fill="${errorColors.strong}">${status}</text>`,
    ...textLines(titles, 262, 70, `font-size="60" font-weight="700" fill="${errorColors.ink}"`),
    ...textLines(
      detail === `${title}.` ? [] : wrappedLines(detail, 58, 4),
      detailTopPx,
      46,
      `font-size="33" fill="${errorColors.muted}"`,
    ),
    `<text x="${leftPx}" y="${heightPx - 60}" font-size="26" fill="${errorColors.muted}">${escapeXml(code)}</text>`,
    '</g></svg>',
  ].join('')
}

function textLines(lines: readonly string[], topPx: number, leadingPx: number, look: string) {
  return lines.map(
    (line, index) => `<text x="${leftPx}" y="${topPx + index * leadingPx}" ${look}>${escapeXml(line)}</text>`,
  )
}
