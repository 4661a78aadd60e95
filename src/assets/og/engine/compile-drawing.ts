import { mix, type Rgb, toHex } from '../../../lib/color.ts'
import { idPrefix } from '../../../raster/scene.ts'
import { pathBounds } from '../../../svg/bounds.ts'
import { shortNumber } from '../../../svg/svg-values.ts'
import { closedPath } from '../../../svg/write-path.ts'
import type { Canvas } from '../canvas.ts'
import { glows } from '../patterns/glows.ts'
import { corners, extremes, grid, type Painted, type PaintedOn, type Pattern } from '../patterns/pattern.ts'
import { tiles } from '../patterns/tiles.ts'
import { desktop, terminalWindow } from '../patterns/window.ts'
import { type Area, circle, filled, rectangle, roundedRectangle, wholeCard } from '../shapes.ts'
import type { CardSize, CardTexts, Look } from '../theme.ts'
import type { FileColors } from './compile-colors.ts'
import { boxesOf, holds, layoutOf, lengthsOf } from './compile-layout.ts'
import type { Boxes, Ground } from './contracts.ts'
import type { DrawnItem, PatternName, ThemeFile } from './theme-file.ts'

const patterns: Readonly<Record<PatternName, Pattern>> = {
  grid,
  corners,
  glows,
  tiles: tiles.paint,
  desktop,
  window: terminalWindow.paint,
}

export type ThemeDrawing = ReturnType<typeof drawingOf>

export function drawingOf(file: ThemeFile) {
  const { picture = {}, background = [] } = file
  const hasWindow = background.some(({ pattern }) => pattern === 'window')
  const written = background.filter(({ text }) => text !== undefined)
  const tiled = background.filter(({ pattern }) => pattern === 'tiles')
  return {
    boxes: (size: CardSize, look: Look, partY = 0) => boxesOf(file, size, look, partY),
    /** The number of patterns for titles to choose from; 1 when the background is the same for every title. */
    patterns: tiled.length > 0 ? 32 : 1,
    background(look: Look, colors: FileColors, boxes: Boxes): Ground {
      const { size } = look
      const all = painted(file, { size, look, colors, boxes })
      const defs = all.map(({ defs = '' }) => defs).join('')
      return {
        color: colors.background,
        ...(defs && { defs }),
        body:
          (all[0]?.coversCard ? '' : filled(colors.background, wholeCard(size))) +
          all.map(({ body }) => body).join(''),
        logoBackgrounds: colorsUnder(all, colors.background, boxes.logo.area),
        inkFoot: all.find(({ inkFoot }) => inkFoot)?.inkFoot,
      }
    },
    /**
     * Draws texts of the card below the others, for what they look like: each in one line, from a point, about the middle, or up to
     * a point that is counted from the end.
     */
    ornaments(look: Look, colors: FileColors, texts: CardTexts, canvas: Canvas): void {
      const { size } = look
      for (const item of written) {
        const { text: role = 'title', at: [from, top] = ['middle', 0] } = item
        const text = texts[role]
        if (text === undefined || !holds(item, size, look)) continue
        const { px, x, y } = lengthsOf(layoutOf(file, size, look), size)
        const fitted = canvas.line(role, text, Math.round(px(item.size ?? 200)))
        const free = size.widthPx - fitted.widthPx
        const isFromEnd = typeof from === 'number' && from < 0
        const left = from === 'middle' ? free / 2 : isFromEnd ? free - px(-from) : x(from)
        const color = colors.of(item.color ?? 'line')
        canvas.label(role, fitted, left, y(top), fitted.widthPx, color, 'start', item.opacity ?? 1)
      }
    },
    /** The place of a brand's picture. */
    picture,
    /** The drawing below the texts before a picture that covers the card, as SVG. */
    ...(hasWindow && { pane: terminalWindow.pane }),
    ...(tiled.length > 0 && tiles.withTiles(tiled)),
  }
}

/** The items painted in order, each one knowing the gradients before it. */
export function painted(file: ThemeFile, place: Omit<PaintedOn, 'gradients'>): readonly Painted[] {
  const { size, look } = place
  const kit = lengthsOf(layoutOf(file, size, look), size)
  const items = (file.background ?? []).filter((item) => holds(item, size, look))
  let gradients = 0
  return items.map((item) => {
    const on = { ...place, gradients }
    const done = item.pattern === undefined ? paintedShape(item, on, kit) : patterns[item.pattern](item, on)
    gradients += (done.defs?.match(/ id=/g) ?? []).length
    return done
  })
}

export function colorsUnder(all: readonly Painted[], background: Rgb, area: Area): readonly Rgb[] {
  return all.reduce<readonly Rgb[]>((below, { under }) => under(area, below), [background])
}

function paintedShape(
  item: DrawnItem,
  { size, colors, gradients }: PaintedOn,
  { unit, px, x, y }: ReturnType<typeof lengthsOf>,
): Painted {
  const { widthPx, heightPx } = size
  const { radius = 0, opacity = 1, angle = 180, at, area } = item
  function left(from: Across, width = 0): number {
    if (from === 'middle') return Math.round((widthPx - width) / 2)
    return typeof from === 'number' && from < 0 ? widthPx - px(-from) : x(from)
  }
  function box([from, top, width, height]: NonNullable<DrawnItem['rect']>): Area {
    return { x: left(from, px(width)), y: y(top), width: px(width), height: px(height) }
  }
  /** The colours below paint that is mixed with them, or hides them where it covers an area. */
  function mixedWith(over: readonly Rgb[], bounds: Area, isRectangle: boolean): Painted['under'] {
    const { x, y, width, height } = bounds
    return (area, below) => {
      const [right, bottom] = [area.x + area.width, area.y + area.height]
      if (x >= right || y >= bottom || x + width <= area.x || y + height <= area.y) return below
      const seen = below.flatMap((under) => over.map((color) => mix(under, color, opacity)))
      return isRectangle && isIn(area, bounds) ? extremes(seen) : extremes([...below, ...seen])
    }
  }
  const whole = { x: 0, y: 0, width: widthPx, height: heightPx }
  const color = colors.of(item.fill ?? item.color ?? 'line')
  function shape(d: string, bounds: Area = areaOf(d), isRectangle = false): Painted {
    return { body: translucent(color, d, opacity), under: mixedWith([color], bounds, isRectangle) }
  }
  if (item.fill !== undefined) return shape(wholeCard(size), whole, true)
  if (item.rect !== undefined) {
    const { x: at, y: top, width, height } = box(item.rect)
    const round = Math.min(px(radius), width / 2, height / 2)
    const d = round > 0 ? roundedRectangle(at, top, width, height, round) : rectangle(at, top, width, height)
    return shape(d, { x: at, y: top, width, height }, round === 0)
  }
  if (item.frame !== undefined) {
    const deep = Math.max(...item.frame.map(([inset, stroke]) => (inset + stroke) * unit))
    const within = { x: deep, y: deep, width: widthPx - 2 * deep, height: heightPx - 2 * deep }
    const framed = shape(
      item.frame.map(([inset, stroke]) => outline(inset * unit, stroke * unit, size)).join(''),
    )
    return { ...framed, under: (area, below) => (isIn(area, within) ? below : framed.under(area, below)) }
  }
  if (item.circle !== undefined) {
    const [from, top, r] = item.circle
    return shape(circle(left(from), y(top), px(r)))
  }
  if (item.line !== undefined) {
    const [fromX, fromY, toX, toY] = item.line
    return shape(thickLine(left(fromX), y(fromY), left(toX), y(toY), (item.stroke ?? 2) * unit))
  }
  if (item.path !== undefined) {
    const [dx, dy] = at === undefined ? [0, 0] : [left(at[0]), y(at[1])]
    // Moved and not transformed, because backgrounds of plain paths are painted by our own filler.
    const atX = (value: number) => dx + value * unit
    const atY = (value: number) => dy + value * unit
    return shape(closedPath(item.path, 2, atX, atY))
  }
  if (item.gradient !== undefined) {
    const id = `${idPrefix}${gradients}`
    const bounds = area === undefined ? whole : box(area)
    const stops = item.gradient.map(colors.of)
    return {
      defs: linearGradient(id, stops, bounds, angle),
      body: translucent(`url(#${id})`, rectangle(bounds.x, bounds.y, bounds.width, bounds.height), opacity),
      under: mixedWith(stops, bounds, true),
    }
  }
  // A text is painted with the other texts, and may be everywhere.
  return { body: '', under: mixedWith([color], whole, false) }
}

type Across = NonNullable<DrawnItem['at']>[0]

function translucent(paint: Rgb | string, d: string, opacity: number): string {
  const path = filled(paint, d)
  return opacity === 1 ? path : path.replace(' d=', ` fill-opacity="${shortNumber(opacity)}" d=`)
}

function isIn({ x, y, width, height }: Area, outer: Area): boolean {
  const { x: left, y: top } = outer
  return left <= x && top <= y && left + outer.width >= x + width && top + outer.height >= y + height
}

function areaOf(d: string): Area {
  const { left, top, right, bottom } = pathBounds(d)
  return { x: left, y: top, width: right - left, height: bottom - top }
}

function outline(inset: number, strokePx: number, { widthPx, heightPx }: CardSize): string {
  const [w, h] = [widthPx - 2 * inset, heightPx - 2 * inset]
  return [
    rectangle(inset, inset, w, strokePx),
    rectangle(inset, inset + h - strokePx, w, strokePx),
    rectangle(inset, inset + strokePx, strokePx, h - 2 * strokePx),
    rectangle(inset + w - strokePx, inset + strokePx, strokePx, h - 2 * strokePx),
  ].join('')
}

function thickLine(fromX: number, fromY: number, toX: number, toY: number, strokePx: number): string {
  const long = Math.hypot(toX - fromX, toY - fromY) || 1
  const [dx, dy] = [((fromY - toY) / long) * (strokePx / 2), ((toX - fromX) / long) * (strokePx / 2)]
  const corners = [
    [fromX + dx, fromY + dy],
    [toX + dx, toY + dy],
    [toX - dx, toY - dy],
    [fromX - dx, fromY - dy],
  ].map((point) => point.map((value) => shortNumber(value)).join(' '))
  return `M${corners.join('L')}z`
}

/** From one side of the area to the other, as far as its corners reach. */
function linearGradient(id: string, stops: readonly Rgb[], area: Area, angle: number): string {
  const { x, y, width, height } = area
  const turn = (angle * Math.PI) / 180
  const [dx, dy] = [Math.sin(turn), -Math.cos(turn)]
  const reach = (Math.abs(width * dx) + Math.abs(height * dy)) / 2
  const [cx, cy] = [x + width / 2, y + height / 2]
  const [x1, y1] = [shortNumber(cx - dx * reach), shortNumber(cy - dy * reach)]
  const [x2, y2] = [shortNumber(cx + dx * reach), shortNumber(cy + dy * reach)]
  const colors = stops.map(
    (color, index) =>
      `<stop offset="${shortNumber(index / (stops.length - 1))}" stop-color="${toHex(color)}"/>`,
  )
  return `<linearGradient id="${id}" x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" gradientUnits="userSpaceOnUse">${colors.join('')}</linearGradient>`
}
