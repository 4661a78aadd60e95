import { sceneToSvg } from '../../src/assets/og/scene-to-svg.ts'
import { roundedRectangle } from '../../src/assets/og/shapes.ts'
import type { PathLayer } from '../../src/raster/scene.ts'
import { openPathKit } from '../../src/svg/path-kit.ts'
import { closedPath } from '../../src/svg/write-path.ts'
import { blockPath } from '../../src/text/block-path.ts'
import { createTextEngine } from '../../src/text/text-engine.ts'
import type { TextStyle } from '../../src/text/types.ts'
import type { Point } from '../support/row.ts'
import { type Palette, palettes, type Scheme } from './palette.ts'

export type Sheet = Awaited<ReturnType<typeof openSheet>>

export interface TextLook {
  readonly sizePx?: number
  readonly weight?: number
  readonly color?: string
  readonly align?: 'start' | 'center' | 'end'
}

interface LineLook {
  readonly color: string
  readonly widthPx: number
  /** Lengths of dashes and of the gaps between them. */
  readonly dashPx?: readonly [dash: number, gap: number]
}

const engine = createTextEngine()
const weights = [400, 500, 600, 700]

/** The canvas of a picture: a card in the site's style, on which texts are outlines and lines are filled shapes. */
export async function openSheet(scheme: Scheme, widthPx: number, heightPx: number) {
  const palette: Palette = palettes[scheme]
  await engine.prepare(weights.map((weight) => ({ text: 'Aa1 µ×·–≤', style: styleOf(weight) })))
  const { stroke } = await openPathKit()
  const layers: PathLayer[] = []
  function fill(d: string, color: string, opacity?: number) {
    layers.push({
      kind: 'path',
      d,
      x: 0,
      y: 0,
      scale: 1,
      fill: color,
      ...(opacity !== undefined && { opacity }),
    })
  }
  fill(roundedRectangle(0, 0, widthPx, heightPx, 14), palette.border)
  fill(roundedRectangle(1, 1, widthPx - 2, heightPx - 2, 13), palette.surface)
  return {
    palette,
    widthPx,
    heightPx,
    /** The layers that were drawn so far. */
    layers: layers as readonly PathLayer[],
    fill,
    /** One line with its baseline at `y`. Returns its width. */
    text(words: string, x: number, y: number, look: TextLook = {}): number {
      const { sizePx = 14, weight = 400, color = palette.ink, align = 'start' } = look
      const fitted = engine.line(words, styleOf(weight), sizePx)
      const block = blockPath(fitted, 'start', fitted.widthPx)
      const left = x - fitted.widthPx * shares[align]
      const top = y - (fitted.lines[0]?.baselinePx ?? 0)
      layers.push({ kind: 'path', d: block.d, x: left, y: top, scale: block.scale, fill: color })
      return fitted.widthPx
    },
    widthOf: (words: string, sizePx: number, weight = 400) =>
      engine.line(words, styleOf(weight), sizePx).widthPx,
    /** A line through points, with round ends and joins. */
    line(points: readonly Point[], { color, widthPx: width, dashPx }: LineLook): void {
      const pen = { width, cap: dashPx ? 'butt' : 'round', join: 'round', miterLimit: 4 } as const
      const lines = dashPx ? dashesOf(points, dashPx) : [points]
      fill(closedPath(stroke(lines.map(pathOf).join(''), pen, 1) ?? '', 1), color)
    },
    svg(title: string, desc: string): string {
      const background = { key: scheme, color: '#ffffff', defs: '', body: '' }
      const scene = { widthPx, heightPx, background, layers }
      return `${sceneToSvg(scene, { title, desc }).join('')}\n`
    },
  }
}

const shares = { start: 0, center: 0.5, end: 1 }

function styleOf(weight: number): TextStyle {
  return { family: 'sans', weight, trackingUnits: weight >= 600 ? -8 : 0 }
}

function pathOf(points: readonly Point[]): string {
  return `M${points.map((point) => point.join(' ')).join('L')}`
}

/** Splits a straight line into dashes. */
function dashesOf(
  [from = [0, 0], to = [0, 0]]: readonly Point[],
  [dash, gap]: readonly [number, number],
): readonly (readonly Point[])[] {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1])
  function at(distance: number): Point {
    const share = Math.min(1, distance / length)
    return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])]
  }
  return Array.from({ length: Math.ceil(length / (dash + gap)) }, (_, index) => {
    const start = index * (dash + gap)
    return [at(start), at(start + dash)]
  })
}
