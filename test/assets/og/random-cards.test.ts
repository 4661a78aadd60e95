import { expect, test } from 'bun:test'
import type { PlacedText } from '../../../src/assets/og/canvas.ts'
import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import { cardSizes, sizeNames } from '../../../src/assets/og/card-sizes.ts'
import { schemes } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { contrastRatio, parseHex, type Rgb } from '../../../src/lib/color.ts'
import { drawPremultiplied } from '../../../src/raster/draw-svg.ts'
import type { PathLayer, Scene } from '../../../src/raster/scene.ts'
import type { Box } from '../../../src/svg/box.ts'
import { pathBounds } from '../../../src/svg/path-bounds.ts'
import { randomFrom } from '../../support/random.ts'
import { cards, inkBoxes } from './corpus.ts'
import { extremeColors } from './extreme-colors.ts'
import { randomText } from './random-text.ts'

/** How many cards are drawn, over all themes, schemes, sizes and scripts: some eight seconds. */
const cardCount = 2400
/** No content comes nearer to an edge than this, whatever the theme. */
const marginPxMin = 28
/** Paths are on a grid of 1/1000 em. */
const gridPx = 0.4
/** Of the pixels that contrast is measured on. */
const zoom = 1 / 8

const random = randomFrom(20_261_122)

function randomCard(index: number): CardParams {
  const texts = randomText(random)
  const scheme = schemes[random.below(3)]
  return {
    theme: themeNames[index % themeNames.length] ?? 'aurora',
    size: sizeNames[Math.floor(index / themeNames.length) % sizeNames.length] ?? 'og',
    ...(scheme && { scheme }),
    ...(random.below(3) > 0 && { accent: randomAccent() }),
    ...texts,
  }
}

function randomAccent(): string {
  const isExtreme = random.below(4) === 0
  return isExtreme ? random.pick(extremeColors) : `#${random.below(0x1000000).toString(16).padStart(6, '0')}`
}

/** A thing on the card with the room that it takes. */
interface Thing extends Box {
  readonly name: string
}

function thingsOn(scene: Scene, texts: readonly PlacedText[]) {
  const lines = texts.flatMap((text) => inkBoxes(text).map((box): Thing => ({ name: text.role, ...box })))
  // Letters are drawn a thousandth as large as they are written.
  const shapes = scene.layers.filter((layer): layer is PathLayer => layer.kind === 'path' && layer.scale >= 1)
  return { lines, shapes: shapes.map((layer) => ({ layer, ...boxOf(layer) })) }
}

function boxOf({ d, x, y, scale }: PathLayer): Thing {
  const { left, top, right, bottom } = pathBounds(d) ?? { left: 0, top: 0, right: 0, bottom: 0 }
  return {
    name: 'shape',
    left: x + left * scale,
    top: y + top * scale,
    right: x + right * scale,
    bottom: y + bottom * scale,
  }
}

function isInside(inner: Box, outer: Box, slackPx = gridPx): boolean {
  return (
    inner.left >= outer.left - slackPx &&
    inner.top >= outer.top - slackPx &&
    inner.right <= outer.right + slackPx &&
    inner.bottom <= outer.bottom + slackPx
  )
}

function overlap(one: Box, other: Box): boolean {
  const isBeside = one.left >= other.right - gridPx || other.left >= one.right - gridPx
  return !isBeside && one.top < other.bottom - gridPx && other.top < one.bottom - gridPx
}

/** Lines of one text may share the room of a line: accents reach into the line above. */
function placeFaults({ scene, texts, content }: ReturnType<typeof cards.compose>): string[] {
  const { lines, shapes } = thingsOn(scene, texts)
  const { widthPx, heightPx } = scene
  const isMirrored = scene.background.key.includes(' rtl ')
  const left = isMirrored ? widthPx - content.x - content.width : content.x
  const area = { left, top: content.y, right: left + content.width, bottom: content.y + content.height }
  const card = { left: 0, top: 0, right: widthPx, bottom: heightPx }
  const faults: string[] = []
  if (!isInside(area, card, -marginPxMin)) faults.push(`the content meets the edge: ${shown(area)}`)
  for (const thing of [...lines, ...shapes])
    if (!isInside(thing, area)) faults.push(`${thing.name} leaves ${shown(area)}: ${shown(thing)}`)
  for (const line of lines) {
    for (const other of lines)
      if (line.name !== other.name && overlap(line, other))
        faults.push(`${line.name} runs into ${other.name}: ${shown(line)}, ${shown(other)}`)
    for (const shape of shapes)
      if (overlap(line, shape) && !isInside(line, shape, 1))
        faults.push(`${line.name} runs into a shape: ${shown(line)}, ${shown(shape)}`)
  }
  for (const [index, shape] of shapes.entries())
    for (const other of shapes.slice(index + 1))
      if (overlap(shape, other) && !isInside(other, shape))
        faults.push(`shapes meet: ${shown(shape)}, ${shown(other)}`)
  return faults
}

/** The colour of the background at a point of the card. */
function backgroundOf({ background, widthPx, heightPx }: Scene): (x: number, y: number) => Rgb {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}"><defs>${background.defs}</defs>${background.body}</svg>`
  const image = drawPremultiplied(svg, { zoom })
  const { pixels } = image
  return (x, y) => {
    const at = (Math.floor(y * zoom) * image.width + Math.floor(x * zoom)) * 4
    return { r: pixels[at] ?? 0, g: pixels[at + 1] ?? 0, b: pixels[at + 2] ?? 0 }
  }
}

function contrastFaults({ scene, texts }: ReturnType<typeof cards.compose>): string[] {
  const under = backgroundOf(scene)
  const { shapes } = thingsOn(scene, texts)
  return texts.flatMap((text) => {
    const ink = parseHex(text.fill) ?? { r: 0, g: 0, b: 0 }
    const least = Math.min(
      ...inkBoxes(text).map((box) => {
        const plate = shapes.findLast((shape) => isInside(box, shape, 1))
        const color = plate && parseHex(plate.layer.fill)
        return color ? contrastRatio(ink, color) : leastContrast(ink, box, under)
      }),
    )
    const wanted = text.role === 'title' ? 7 : 4.5
    return least < wanted ? [`${text.role} has a contrast of ${least.toFixed(2)}`] : []
  })
}

function leastContrast(ink: Rgb, box: Box, under: (x: number, y: number) => Rgb): number {
  let least = 21
  const step = 1 / zoom
  for (let y = box.top; y <= box.bottom; y += step)
    for (let x = box.left; x <= box.right; x += 2 * step)
      least = Math.min(least, contrastRatio(ink, under(x, y)))
  return least
}

function shown({ left, top, right, bottom }: Box): string {
  return [left, top, right, bottom].map((value) => value.toFixed(1)).join(' ')
}

test('on any card nothing overlaps, nothing leaves its margins, and every text can be read', async () => {
  const faults: string[] = []
  for (let index = 0; index < cardCount; index++) {
    const params = randomCard(index)
    await cards.prepare(params)
    const composed = cards.compose(params)
    const { heightPx, widthPx } = cardSizes[params.size ?? 'og']
    expect([composed.scene.widthPx, composed.scene.heightPx]).toEqual([widthPx, heightPx])
    const found = [...placeFaults(composed), ...contrastFaults(composed)]
    faults.push(...found.map((fault) => `${JSON.stringify(params)}: ${fault}`))
  }
  expect(faults.slice(0, 12)).toEqual([])
}, 120_000)
