import { shortHex } from '../../lib/color.ts'
import type { Box } from '../../svg/box.ts'
import { escapeXml } from '../../svg/escape-xml.ts'
import { shortNumber, svgNumber } from '../../svg/svg-number.ts'
import type { TextEngine } from '../../text/text-engine.ts'
import type { Avatar, AvatarShape } from './avatar.ts'
import { createLetters, type Letters } from './letters.ts'

/** Draws avatars on a square of 100 by 100 units. */
export function createAvatarRenderer(engine: TextEngine) {
  const letters = createLetters(engine)
  return {
    /** At once where the letters are cached or quick to draw. */
    svg(avatar: Avatar, client?: string): string | Promise<string> {
      if (!isOutlined(avatar)) return svgRoot(avatar, textOrSilhouette(avatar))
      const found = letters.of(avatar, client)
      return found instanceof Promise
        ? found.then((drawn) => drawnSvg(avatar, drawn))
        : drawnSvg(avatar, found)
    },
  }
}

function drawnSvg(avatar: Avatar, letters: Letters): string {
  return svgRoot(avatar, outlines(avatar, letters))
}

function isOutlined({ initials, drawing }: Avatar): boolean {
  return initials !== '' && drawing === 'path'
}

const corners: Readonly<Record<AvatarShape, string>> = { circle: ' rx="50"', rounded: ' rx="16"', square: '' }

function svgRoot({ name, title = name, sizePx, shape, background }: Avatar, content: string): string {
  const label = escapeXml(title)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 100 100" role="img" aria-label="${label}"><title>${label}</title><rect width="100" height="100"${corners[shape]} fill="${background}"/>${content}</svg>`
}

const person = 'M50 24a16 16 0 0 1 0 32 16 16 0 0 1 0-32zM21 80c0-12 12-19 29-19s29 7 29 19z'

function textOrSilhouette(avatar: Avatar): string {
  const { initials, color, bold } = avatar
  if (initials === '') return `<path d="${person}" fill="${color}"/>`
  const size = 100 * (avatar.fontScale ?? defaultScale(initials))
  return `<text x="50" y="50" dy=".36em" text-anchor="middle" font-family="Inter,system-ui,sans-serif" font-weight="${bold ? 800 : 600}" font-size="${svgNumber(size)}" fill="${color}">${escapeXml(initials)}</text>`
}

/** Centres the letters by their ink bounds, no larger than the shape has room for. */
function outlines(avatar: Avatar, { d, step, pictures, ink }: Letters): string {
  const scale = Math.min(wantedScale(avatar), roomFor(ink, avatar))
  const x = svgNumber(50 - ((ink.left + ink.right) / 2) * scale)
  const y = svgNumber(50 - ((ink.top + ink.bottom) / 2) * scale)
  function place(factor: number) {
    return `translate(${x} ${y})scale(${shortNumber(factor, 5)})`
  }
  const path =
    d === '' ? '' : `<path d="${d}" fill="${shortHex(avatar.color)}" transform="${place(scale * step)}"/>`
  return pictures === '' ? path : `${path}<g transform="${place(scale)}">${pictures}</g>`
}

/** The scale from font units to units of the avatar. */
function wantedScale({ fontScale, initials }: Avatar): number {
  return (fontScale ?? defaultScale(initials)) / 10
}

function defaultScale(initials: string): number {
  const letters = initials.match(/\p{L}|\p{N}/gu)?.length ?? 1
  return letters === 1 ? 0.5 : letters === 2 ? 0.42 : 0.36
}

/** The largest scale that fits. Letters of the default size keep a margin; those of a chosen size may fill the shape. */
function roomFor({ left, top, right, bottom }: Box, { shape, fontScale }: Avatar): number {
  const [width, height] = [right - left, bottom - top]
  const margin = fontScale === undefined ? 0.78 : 1
  const span = shape === 'circle' ? Math.hypot(width, height) : Math.max(width, height)
  return span === 0 ? 1 : (100 * margin) / span
}
