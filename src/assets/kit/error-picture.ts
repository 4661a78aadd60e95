import { words } from '../../lib/words.ts'
import { escapeXml } from '../../svg/svg-values.ts'
import { cardSizes, sizeNames } from '../og/theme.ts'

export interface ErrorText {
  readonly status: number
  readonly code: string
  readonly title: string
  /** One sentence: what is wrong with the first wrong parameter, or the beginning of the detail. */
  readonly reason: string
  /** One or more sentences. */
  readonly detail: string
}

/** Draws an error of an asset for an `<img>`, which can show nothing but a picture. */
export interface ErrorPicture {
  /** Words in a path that mean this asset where nothing answers, as in `/api/og.gif` and `/badge/…`. */
  readonly words: readonly string[]
  /** Draws an SVG in the form of the asset; `size` is the parameter of this name, if it is valid. */
  draw(size: unknown, text: ErrorText): Promise<string>
}

/** The colours of error pictures; each text has a contrast of at least 4.5 on the background that it stands on. */
const errorColors = {
  background: '#fafaf9',
  soft: '#fdecea',
  strong: '#b3261e',
  ink: '#1b1b1f',
  muted: '#55555c',
} as const

const errorFont = 'system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif'

/** The accessible name of an error picture, which browsers also show as a tooltip. */
export function errorName({ status, code, detail }: ErrorText): string {
  return `${status} ${code}: ${detail}`
}

/** Breaks a text into lines. Where there are more than allowed, the last one ends with an ellipsis. */
function wrappedLines(text: string, charsMax: number, linesMax: number): readonly string[] {
  const lines: string[] = []
  for (const word of words(text)) {
    const line = `${lines.at(-1) ?? ''} ${word}`.trim()
    if (lines.length > 0 && line.length <= charsMax) lines[lines.length - 1] = line
    else lines.push(shorten(word, charsMax))
  }
  const last = lines[linesMax - 1]
  if (lines.length <= linesMax || last === undefined) return lines
  return [...lines.slice(0, linesMax - 1), `${last.slice(0, charsMax - 2)} …`]
}

export function shorten(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).trimEnd()}…`
}

function errorSvg(text: ErrorText, widthPx: number, heightPx: number, box: string, parts: readonly string[]) {
  const name = escapeXml(errorName(text))
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" viewBox="0 0 ${box}" role="img" aria-label="${name}"><title>${name}</title>${parts.join('')}</g></svg>`
}

const leftPx = 88

export function errorCard(size: unknown, text: ErrorText): string {
  const { status, code, title, detail } = text
  const shown = cardSizes[sizeNames.find((each) => each === size) ?? 'og']
  // Drawn 1200 wide, whatever the size: a taller card has room below.
  const heightPx = Math.round((1200 * shown.heightPx) / shown.widthPx)
  const titles = wrappedLines(title, 32, 2)
  const details = detail === `${title}.` ? [] : wrappedLines(detail, 58, 4)
  const detailTopPx = 262 + 70 * (titles.length - 1) + 68
  return errorSvg(text, shown.widthPx, shown.heightPx, `1200 ${heightPx}`, [
    `<rect width="1200" height="${heightPx}" fill="${errorColors.background}"/>`,
    `<rect width="1200" height="14" fill="${errorColors.strong}"/>`,
    `<rect x="${leftPx}" y="108" width="120" height="60" rx="30" fill="${errorColors.soft}"/>`,
    `<g font-family="${errorFont}">`,
    `<text x="${leftPx + 60}" y="150" text-anchor="middle" font-size="34" font-weight="700" fill="${errorColors.strong}">${status}</text>`,
    ...textLines(titles, 262, 70, `font-size="60" font-weight="700" fill="${errorColors.ink}"`),
    ...textLines(details, detailTopPx, 46, `font-size="33" fill="${errorColors.muted}"`),
    `<text x="${leftPx}" y="${heightPx - 60}" font-size="26" fill="${errorColors.muted}">${escapeXml(code)}</text>`,
  ])
}

function textLines(lines: readonly string[], topPx: number, leadingPx: number, look: string) {
  return lines.map(
    (line, index) => `<text x="${leftPx}" y="${topPx + index * leadingPx}" ${look}>${escapeXml(line)}</text>`,
  )
}

/** From this size on the reason is written below the status, and readable. */
const reasonSizePxMin = 112

/** The mark in place of an avatar: the status, and the reason where it has room. It has the avatar's size. */
export function errorAvatar(size: unknown, text: ErrorText): string {
  const sizePx = typeof size === 'number' ? size : 128
  const lines = sizePx < reasonSizePxMin ? [] : wrappedLines(text.reason, 18, 3)
  // Below 40 px three digits cannot be read.
  const mark = sizePx < 40 ? '!' : String(text.status)
  const middle = 50 - lines.length * 5
  const markSize = mark === '!' ? 64 : lines.length > 0 ? 26 : 32
  return errorSvg(text, sizePx, sizePx, '100 100', [
    `<rect x="1.5" y="1.5" width="97" height="97" rx="48.5" fill="${errorColors.soft}" stroke="${errorColors.strong}" stroke-width="3"/>`,
    `<g font-family="${errorFont}" text-anchor="middle">`,
    `<text x="50" y="${middle}" dy=".36em" font-size="${markSize}" font-weight="700" fill="${errorColors.strong}">${mark}</text>`,
    ...lines.map(
      (line, index) =>
        `<text x="50" y="${middle + 20 + index * 9.5}" font-size="8" fill="${errorColors.ink}">${escapeXml(line)}</text>`,
    ),
  ])
}
