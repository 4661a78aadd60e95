import { contrastRatio, fromOklch, mix, type Oklch, type Rgb, toOklch } from '../../../lib/color.ts'
import { type Accent, accentOf, shade } from '../accent.ts'
import { type CardSize, cardSizes } from '../card-sizes.ts'
import type { FileColors } from '../engine/compile-colors.ts'
import { themeOf } from '../engine/compile-theme.ts'
import { type Glow, litColor, litColors, paintGlows, readableGlows, stretched } from '../glow.ts'
import { ellipse, filled, wholeCard } from '../shapes.ts'
import type { Look, Scheme } from '../theme.ts'
import json from './aurora.json' with { type: 'json' }

/** Theme: coloured lights in the corners of the sky, at night or in the morning. */
export const aurora = themeOf(json, {
  background({ accent, size, align, brandBackground }, colors, { content, logo }) {
    const { background, ink, paleInk } = colors
    const lights = brandBackground?.second === undefined ? accent : accentOf(brandBackground.second)
    const glows = readableGlows(
      (power) => auroraGlows(lights, colors, size, power, align),
      background,
      content,
      [
        { color: paleInk, ratio: 4.6 },
        { color: ink, ratio: 7.1 },
      ],
    )
    const { defs, body } = paintGlows(glows, size)
    return {
      color: background,
      defs,
      body: filled(background, wholeCard(size)) + body,
      logoBackgrounds: litColors(background, glows, logo.area),
      ...(align === 'center' && {
        inkFoot: (top, bottom, tint) =>
          inkBelow(colors, lights.main, tint, [content.x, size.widthPx / 2], (x, share) =>
            // The light a little above, which is brighter, leaves room for what rasterisers round.
            litColor(background, glows, x, top + (bottom - top) * share - 8 * size.unit),
          ),
      }),
    }
  },
  /** A moon beside the texts; above them a sky, which ends at the horizon. */
  opening({ x, y, width, height }, { widthPx, heightPx }) {
    if (x > 0) return ellipse(widthPx, heightPx / 2, width, heightPx * 0.76, true)
    return ellipse(widthPx / 2, y + height * 0.4, widthPx * 0.9, height * 0.6, true)
  },
})

interface Sky {
  readonly scheme: Scheme
  readonly background: Rgb
}

/** Lightness of the glows: of the main colour, the second and the third. */
const lightnesses = { dark: [0.6, 0.54, 0.5], light: [0.8, 0.83, 0.87] } as const

/** The lights of one accent, placed on the usual card of each shape. */
export function auroraGlows(
  accent: Accent,
  { scheme, background }: Sky,
  size: CardSize,
  power: number,
  align?: Look['align'],
): readonly Glow[] {
  const [l1, l2, l3] = lightnesses[scheme]
  const [main, second, third] = [accent.main, accent.second, accent.third].map((light) =>
    unmuddied(light, toOklch(background), scheme),
  ) as [Oklch, Oklch, Oklch]
  const lights = { main: shade(main, l1), second: shade(second, l2), third: shade(third, l3) }
  if (align === 'center') return centredGlows(lights, size, power)
  const isWide = size.shape === 'wide'
  const from = isWide ? cardSizes.og : cardSizes.square
  const glows: readonly Glow[] = isWide
    ? [
        { cx: -30, cy: 700, rx: 640, ry: 250, angle: -14, color: lights.third, peak: 0.5 * power },
        { cx: 1270, cy: 580, rx: 760, ry: 330, angle: -38, color: lights.second, peak: 0.8 * power },
        { cx: 1020, cy: -90, rx: 860, ry: 400, angle: 26, color: lights.main, peak: 0.92 * power },
      ]
    : [
        { cx: 1120, cy: 1090, rx: 560, ry: 300, angle: -24, color: lights.third, peak: 0.5 * power },
        { cx: -80, cy: 210, rx: 620, ry: 420, angle: -32, color: lights.second, peak: 0.8 * power },
        { cx: 840, cy: -70, rx: 900, ry: 560, angle: 18, color: lights.main, peak: 0.92 * power },
      ]
  const core: readonly Glow[] =
    main === accent.main || scheme === 'light' || toOklch(background).c > 0.05
      ? []
      : [
          {
            cx: isWide ? 1190 : 1000,
            cy: -70,
            rx: 520,
            ry: 190,
            angle: 14,
            color: shade(accent.main, 0.8),
            peak: 0.9 * power,
          },
        ]
  return [...glows, ...core].map((glow) => stretched(glow, from, size))
}

/** One light above the middle, in a wide dim halo of the second colour. */
function centredGlows(
  { main, second }: Readonly<Record<'main' | 'second', Rgb>>,
  { widthPx, heightPx }: CardSize,
  power: number,
): readonly Glow[] {
  const [cx, r] = [widthPx / 2, Math.min(widthPx, heightPx)]
  return [
    { cx, cy: -0.1 * r, rx: 1.15 * r, ry: 0.95 * r, angle: 0, color: second, peak: 0.6 * power },
    { cx, cy: -0.14 * r, rx: 0.72 * r, ry: 0.7 * r, angle: 0, color: main, peak: 0.95 * power },
  ]
}

/**
 * A light that keeps its colour where it fades. Yellow and lime fade into black as brown and olive, so they fade through
 * red and green; a hue far from that of a coloured background fades through grey, so it becomes a neighbour of that hue.
 */
function unmuddied(light: Oklch, background: Oklch, scheme: Scheme): Oklch {
  const isColored = background.c > (scheme === 'light' ? 0.012 : 0.05)
  const turn = ((light.h - background.h + 540) % 360) - 180
  if (isColored && Math.abs(turn) > 70) {
    // The neighbours of yellow are orange and olive.
    const isYellow = background.h > 50 && background.h < 115
    const side = isYellow ? -1 : Math.sign(turn)
    return { ...light, c: Math.max(light.c * 0.6, 0.1), h: (background.h + side * 24 + 360) % 360 }
  }
  if (scheme === 'light' || light.h < 55 || light.h > 135 || light.c < 0.04) return light
  return light.h < 108 ? { ...light, h: 28 + (light.h - 55) * 0.2 } : { ...light, h: 152 }
}

/** Heights at which the ink is looked at: near its top the light is brightest. */
const shares = [0.06, 0.12, 0.25, 0.5, 0.75, 1]

/** The accent as far from the ink as it can still be read as a title, below all of which the light is not the same. */
function inkBelow(
  { scheme, ink }: Pick<FileColors, 'scheme' | 'ink'>,
  { c, h }: Oklch,
  tint: number,
  columns: readonly number[],
  litAt: (x: number, share: number) => Rgb,
): Rgb {
  const [from, step] = scheme === 'dark' ? [0.7, 0.01] : [0.5, -0.01]
  function isReadable(foot: Rgb): boolean {
    return shares.every((share) =>
      columns.every((x) => {
        const under = mix(litAt(x, share), ink, tint)
        return contrastRatio(mix(ink, foot, share), under) >= 7.03 + 0.17 * share
      }),
    )
  }
  for (let l = from; l > 0.2 && l < 1; l += step) {
    const foot = fromOklch({ l, c: Math.min(c, 0.09), h })
    if (isReadable(foot)) return foot
  }
  return ink
}
