import { LRUCache } from 'lru-cache'
import { fromOklch, parseHex, shortHex, toOklch } from '../../lib/color.ts'
import type { QueueClient } from '../../lib/waiter.ts'
import type { Box } from '../../svg/bounds.ts'
import { escapeXml, shortNumber, svgNumber } from '../../svg/svg-values.ts'
import { compactPath } from '../../svg/write-path.ts'
import { blockPath } from '../../text/block-path.ts'
import { emojiBeside, emojiBody } from '../../text/emoji.ts'
import type { TextDrawer } from '../../text/text-drawer.ts'
import type { TextFitter, TextRequest } from '../../text/types.ts'
import { hashOf } from '../og/accent.ts'
import { type PatternArea, tilePattern } from '../og/tile-pattern.ts'
import { type Avatar, gradientEnd } from './avatar-of.ts'

/** Draws avatars on a square of 100 by 100 units: at once where the letters are cached or quick to draw. */
export function createAvatarRenderer(text: TextDrawer) {
  const lettersOf = createLetters(text)
  return (avatar: Avatar, client?: QueueClient): string | Promise<string> => {
    if (avatar.style === 'shapes') return svgRoot(avatar, shapesOf(avatar))
    if (avatar.initials === '' || avatar.isText) return svgRoot(avatar, textOrSilhouette(avatar))
    const drawn = (letters: Letters) => svgRoot(avatar, outlines(avatar, letters))
    const found = lettersOf(avatar, client)
    return found instanceof Promise ? found.then(drawn) : drawn(found)
  }
}

const corners: Readonly<Record<Avatar['shape'], string>> = {
  circle: ' rx="50"',
  rounded: ' rx="16"',
  square: '',
}

function svgRoot(avatar: Avatar, content: string): string {
  const { name, title = name, sizePx, shape, background, style, seed } = avatar
  const label = escapeXml(title)
  const box = `<rect width="100" height="100"${corners[shape]}`
  const root = `<svg xmlns="http://www.w3.org/2000/svg" width="${sizePx}" height="${sizePx}" viewBox="0 0 100 100" role="img" aria-label="${label}"><title>${label}</title>`
  if (style === 'plain') return `${root}${box} fill="${background}"/>${content}</svg>`
  // Equal for avatars that look the same, so that several can be in one page.
  const id = `a${hashOf(`${seed} ${background} ${shape}`).toString(36)}`
  if (style === 'shapes')
    return `${root}<clipPath id="${id}">${box}/></clipPath><g clip-path="url(#${id})">${content}</g></svg>`
  const stops = `<stop stop-color="${background}"/><stop offset="1" stop-color="${gradientEnd(background, avatar.color)}"/>`
  return `${root}<linearGradient id="${id}" x2="1" y2="1">${stops}</linearGradient>${box} fill="url(#${id})"/>${content}</svg>`
}

/** Cells begin at whole pixels and have even sides, so that no edge between two is blended with what is below. They reach beyond the square. */
function cellsOf(sizePx: number): PatternArea {
  const count = sizePx < 32 ? 2 : 3
  const sidePx = 2 * Math.floor(sizePx / count / 2) + 2
  const start = -Math.floor((count * sidePx - sizePx) / 2)
  const scale = 100 / sizePx
  return { x: start * scale, y: start * scale, columns: count, rows: count, sidePx: sidePx * scale }
}

/** Figures of the poster theme in the colours of the avatar. */
function shapesOf({ seed, background, sizePx }: Avatar): string {
  const base = toOklch(parseHex(background) ?? { r: 0, g: 0, b: 0 })
  const isYellow = base.h > 45 && base.h < 115
  const colors = {
    background: fromOklch(base),
    // Dark yellow is brown, so its darker companion is redder.
    deep: fromOklch({ ...base, l: base.l > 0.6 ? base.l - 0.18 : base.l + 0.2, h: isYellow ? 32 : base.h }),
    dark: fromOklch({ ...base, l: 0.26, c: base.c * 0.6 }),
    pale: fromOklch({ ...base, l: 0.95, c: Math.min(base.c, 0.05) }),
  }
  return `<rect width="100" height="100" fill="${background}"/>${tilePattern(background, hashOf(seed), colors, cellsOf(sizePx))}`
}

const person = 'M50 24a16 16 0 0 1 0 32 16 16 0 0 1 0-32zM21 80c0-12 12-19 29-19s29 7 29 19z'

function textOrSilhouette(avatar: Avatar): string {
  const { initials, color, bold } = avatar
  if (initials === '') return `<path d="${person}" fill="${color}"/>`
  const size = 100 * (avatar.fontScale ?? defaultScale(initials))
  return `<text x="50" y="50" dy=".36em" text-anchor="middle" font-family="Inter,system-ui,sans-serif" font-weight="${weightOf(bold)}" font-size="${svgNumber(size)}" fill="${color}">${escapeXml(initials)}</text>`
}

/** Centres the letters by their ink bounds, no larger than the shape has room for. */
function outlines(avatar: Avatar, { d, step, pictures, ink }: Letters): string {
  // From font units to units of the avatar.
  const wantedScale = (avatar.fontScale ?? defaultScale(avatar.initials)) / 10
  const scale = Math.min(wantedScale, roomFor(ink, avatar))
  const x = svgNumber(50 - ((ink.left + ink.right) / 2) * scale)
  const y = svgNumber(50 - ((ink.top + ink.bottom) / 2) * scale)
  function place(factor: number) {
    return `translate(${x} ${y})scale(${shortNumber(factor, 5)})`
  }
  const path =
    d === '' ? '' : `<path d="${d}" fill="${shortHex(avatar.color)}" transform="${place(scale * step)}"/>`
  return pictures === '' ? path : `${path}<g transform="${place(scale)}">${pictures}</g>`
}

function defaultScale(initials: string): number {
  return { 1: 0.5, 2: 0.42 }[initials.match(/\p{L}|\p{N}/gu)?.length ?? 1] ?? 0.36
}

/** The largest scale that fits. Letters of the default size keep a margin; those of a chosen size may fill the shape. */
function roomFor({ left, top, right, bottom }: Box, { shape, fontScale }: Avatar): number {
  const [width, height] = [right - left, bottom - top]
  const margin = fontScale === undefined ? 0.78 : 1
  const span = shape === 'circle' ? Math.hypot(width, height) : Math.max(width, height)
  return span === 0 ? 1 : (100 * margin) / span
}

interface Letters {
  /** A path, all commands relative, in steps of 1/1000 em. */
  readonly d: string
  readonly step: number
  readonly pictures: string
  /** The box around everything drawn, in 1/1000 em like the emoji. */
  readonly ink: Box
}

/** Shapes initials and caches them, since many names share few initials. */
function createLetters(text: TextDrawer) {
  const cache = new LRUCache<string, Letters>({
    maxSize: 2 ** 20,
    sizeCalculation: ({ d, pictures }) => d.length + pictures.length + 200,
  })

  function shape(avatar: Avatar, fitter: TextFitter): Letters {
    const { text, style, lang } = requestOf(avatar)
    const fitted = fitter.line(text, style, 1000, lang)
    const [line] = fitted.lines
    const { d, emoji } = blockPath(fitted, 'start', fitted.widthPx)
    const baseline = Math.round(line?.baselinePx ?? 0)
    const pictures = emoji.map(({ name, x, y, sidePx }, index) => {
      const { body, viewBoxPx } = emojiBody(emojiBeside(name, avatar.color), `e${index}-`)
      const place = `translate(${svgNumber(x)} ${svgNumber(y)}) scale(${svgNumber(sidePx / viewBoxPx)})`
      return `<g transform="${place}">${body}</g>`
    })
    const { left = 0, top = 0, right = 0, bottom = 0 } = line?.ink ?? {}
    const letters = {
      ...compacted(d, gridStep(avatar.sizePx)),
      pictures: pictures.join(''),
      ink: { left, right, top: top + baseline, bottom: bottom + baseline },
    }
    // A picture may depend on the colour of the letters, which is not in the key.
    if (letters.pictures === '') cache.set(keyOf(avatar), letters)
    return letters
  }

  return (avatar: Avatar, client?: QueueClient): Letters | Promise<Letters> =>
    cache.get(keyOf(avatar)) ?? text.draw([requestOf(avatar)], (fitter) => shape(avatar, fitter), client)
}

function weightOf(bold: boolean): number {
  return bold ? 800 : 600
}

function requestOf({ initials, bold, lang }: Avatar): TextRequest {
  const style = { family: 'sans', weight: weightOf(bold) } as const
  return { text: initials, style, ...(lang !== undefined && { lang }) }
}

function keyOf({ initials, bold, sizePx, lang = '' }: Avatar): string {
  return `${weightOf(bold)} ${gridStep(sizePx)} ${lang} ${initials}`
}

const charactersMax = 500

/** Letters with many curves get a coarser grid in small avatars, which keeps the files small. */
function compacted(d: string, step: number): { d: string; step: number } {
  const short = compactPath(d, step)
  return short.length > charactersMax && step >= 3 && step < 5 ? compacted(d, step + 1) : { d: short, step }
}

/** The grid step of the outlines in font units: about a sixth of a pixel. */
function gridStep(sizePx: number): number {
  return Math.min(3, Math.max(1, Math.round(400 / sizePx)))
}
