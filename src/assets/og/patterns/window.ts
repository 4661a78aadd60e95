import { mix } from '../../../lib/color.ts'
import { accentOf, isMuddyInTheDark, shade } from '../accent.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import type { Boxes, CardContext, Ornament } from '../engine/contracts.ts'
import { type Area, circle, filled, roundedRectangle, wholeCard } from '../shapes.ts'
import type { CardSize } from '../theme.ts'
import type { Pattern } from './pattern.ts'

/** Heights of the bar of the title and of the status, in units. */
const [barPx, statusPx] = [58, 66] as const

/** A window that is nearer to the end of the card than to its start leaves it there. */
function windowArea({ content: { x, y, width, height } }: Boxes, { widthPx }: CardSize): Area {
  return { x, y, width: 2 * x + width > widthPx ? widthPx - x : width, height }
}

const paint: Pattern = (_item, { size, colors, boxes }) => ({
  body: windowShadow(boxes, size) + windowBody(boxes, size, colors),
  under(area) {
    const { y, height } = windowArea(boxes, size)
    const { unit } = boxes
    const middle = area.y + area.height / 2
    const isInBar = middle < y + barPx * unit || middle > y + height - statusPx * unit
    return [isInBar ? colors.of('frame') : colors.background]
  },
})

export const terminalWindow = { paint, pane: windowBody }

function windowBody(boxes: Boxes, size: CardSize, { background, of }: FileColors): string {
  const [frame, label] = [of('frame'), of('label')]
  const { unit } = boxes
  const { x, y, width, height } = windowArea(boxes, size)
  const radius = Math.round(20 * unit)
  const endRadius = x + width < size.widthPx ? radius : 0
  const [bar, status] = [Math.round(barPx * unit), Math.round(statusPx * unit)]
  const head = `M${x} ${y + bar}V${y + radius}a${radius} ${radius} 0 0 1 ${radius}-${radius}H${x + width - endRadius}${corner(endRadius, endRadius)}V${y + bar}z`
  const foot = `M${x + width} ${y + height - status}v${status - endRadius}${corner(-endRadius, endRadius)}H${x + radius}a${radius} ${radius} 0 0 1 -${radius}-${radius}v${radius - status}z`
  const window = `M${x} ${y + radius}a${radius} ${radius} 0 0 1 ${radius}-${radius}H${x + width - endRadius}${corner(endRadius, endRadius)}V${y + height - endRadius}${corner(-endRadius, endRadius)}H${x + radius}a${radius} ${radius} 0 0 1 -${radius}-${radius}z`
  const dots = [0, 1, 2]
    .map((index) => circle(x + (38 + 30 * index) * unit, y + bar / 2, 8.5 * unit))
    .join('')
  // Beside each other the panes would leave a seam where the card is drawn smaller.
  return filled(background, window) + filled(frame, head + foot) + filled(mix(frame, label, 0.35), dots)
}

/** A quarter of a circle, clockwise; nothing where the window leaves the card. */
function corner(dx: number, dy: number): string {
  const radius = Math.abs(dx)
  return radius === 0 ? '' : `a${radius} ${radius} 0 0 1 ${dx} ${dy}`
}

/** The window's shadow in two hard steps: a soft one would need a filter. */
function windowShadow(boxes: Boxes, size: CardSize): string {
  const { x, y, width, height } = windowArea(boxes, size)
  const { unit } = boxes
  return [18, 9]
    .map((drop) => {
      const [left, wide] = [x - (drop / 3) * unit, width + ((drop * 2) / 3) * unit]
      const d = roundedRectangle(left, y + drop * unit, wide, height, 20 * unit)
      return `<path fill-opacity=".14" d="${d}"/>`
    })
    .join('')
}

export const desktop: Pattern = (_item, { size, look: { accent, brandBackground }, colors }) => {
  const { scheme, background, strength } = colors
  const [lightness, chroma] = scheme === 'light' ? [0.86, 0.8] : [0.58, 1]
  const { main, second } = brandBackground?.second === undefined ? accent : accentOf(brandBackground.second)
  const isNeutral = lightness < 0.7 && brandBackground?.second === undefined && isMuddyInTheDark(main)
  const [light, colorful] = isNeutral ? [0.36, 0.08] : [lightness, chroma]
  const { widthPx, heightPx } = size
  const slope = `M0 ${Math.round(heightPx * 0.62)}L${widthPx} ${Math.round(heightPx * 0.2)}V${heightPx}H0z`
  const [first, other] = [shade(main, light, colorful), shade(second, light - 0.06, colorful)]
  const slopes = [mix(background, first, strength), mix(background, other, strength)] as const
  return {
    body: filled(slopes[0], wholeCard(size)) + filled(slopes[1], slope),
    coversCard: true,
    under: () => slopes,
  }
}

const promptPx = 30

/** The folder that a shell would be in: the first part of the path, else the name before a domain of three parts. */
function folderOf(domain = ''): string {
  const [host = '', folder] = domain.split('/')
  const names = host.split('.')
  const name = folder ?? (names.length > 2 ? names[0] : undefined)
  return name === undefined || !/^[\w-]{1,24}$/.test(name) ? '~' : `~/${name}`
}

/** `~/docs $` before the eyebrow, and without one too. */
export const prompt: Ornament = {
  indentPx: (card) => signOf(card).widthPx + 22 * card.boxes.unit,
  draw(card, { x, centreY }) {
    const sign = signOf(card)
    card.canvas.label('eyebrow', sign, x, centreY, sign.widthPx, card.colors.rule)
  },
}

function signOf({ canvas, texts, boxes }: CardContext) {
  const sizePx = Math.round(promptPx * boxes.unit)
  return canvas.line('eyebrow', `${folderOf(texts.domain)} $`, sizePx)
}

/** The author in a slanted block at the start of the status bar. */
export const slab = slabOf((isLtr, widthPx, heightPx, slant, radius) =>
  isLtr
    ? `M0 0H${widthPx}L${widthPx - slant} ${heightPx}H${radius}a${radius} ${radius} 0 0 1 -${radius} -${radius}z`
    : `M0 0H${widthPx}V${heightPx - radius}a${radius} ${radius} 0 0 1 -${radius} ${radius}H${slant}z`,
)

/** The slab in the middle of the bar, slanted on both sides. */
export const centredSlab = slabOf((isLtr, widthPx, heightPx, slant) =>
  isLtr
    ? `M${slant} 0H${widthPx}L${widthPx - slant} ${heightPx}H0z`
    : `M0 0H${widthPx - slant}L${widthPx} ${heightPx}H${slant}z`,
)

function slabOf(
  shape: (isLtr: boolean, widthPx: number, heightPx: number, slant: number, radius: number) => string,
): Ornament {
  return {
    indentPx: ({ boxes }) => Math.round(30 * boxes.unit),
    trail: 26,
    facePx: 46,
    draw({ canvas, colors, boxes: { unit } }, { x, centreY, textPx }) {
      const heightPx = Math.round(statusPx * unit)
      const widthPx = Math.round(56 * unit + textPx)
      const [slant, radius] = [Math.round(22 * unit), Math.round(20 * unit)]
      const d = shape(canvas.direction === 'ltr', widthPx, heightPx, slant, radius)
      canvas.shape(d, x, Math.floor(centreY - heightPx / 2), widthPx, colors.mark)
    },
  }
}

const tilde = 'M0 7C3-1 7-1 11 4S19 9 22 1V5C19 13 15 12 11 8S3 3 0 11z'

/** A cursor behind the title, and the signs of an editor on the lines that stay empty above `bottom`, but not about the middle. */
export function cursorAndEmptyLines(bottomMax: number, centredX?: number): NonNullable<Boxes['finish']> {
  return (canvas, { title, area, bottom }, { mark, rule }) => {
    const line = title.lines.at(-1)
    const { sizePx } = title
    const widthPx = Math.round(sizePx * 0.54)
    const free = centredX === undefined ? 0 : (area.width - (line?.widthPx ?? 0)) / 2
    const x = area.x + free + (line?.widthPx ?? 0) + Math.round(sizePx * 0.08)
    const fitsBehind = x + widthPx <= area.x + area.width && title.direction === canvas.direction
    if (line !== undefined && fitsBehind) {
      const heightPx = Math.round(sizePx * 0.98)
      const y = area.y + line.baselinePx - Math.round(sizePx * 0.81)
      canvas.shape(`M0 0H${widthPx}V${heightPx}H0z`, x, y, widthPx, mark)
    }
    // Beside a text about the middle they would be dust.
    if (centredX !== undefined) return
    const stepPx = 62
    for (let y = bottom + stepPx; y + 14 < bottomMax; y += stepPx)
      canvas.shape(tilde, area.x, y, 22, rule, 0.35)
  }
}
