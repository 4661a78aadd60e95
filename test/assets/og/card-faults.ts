import type { PlacedText } from '../../../src/assets/og/canvas.ts'
import type { ComposedCard } from '../../../src/assets/og/card-renderer.ts'
import { contrastRatio, mix, parseHex, type Rgb } from '../../../src/lib/color.ts'
import type { Box } from '../../../src/svg/bounds.ts'
import { inkBoxes } from './corpus.ts'
import { logoPlaceFaults } from './logo/logo-faults.ts'
import { isInside, overlap, shown, thingsOn, usualZoom } from './random-text.ts'

/** No content comes nearer to an edge than this, whatever the theme. */
const marginPxMin = 28

/** Lines of one text may share the room of a line: accents reach into the line above. */
export function placeFaults(composed: ComposedCard): string[] {
  const { scene, content } = composed
  const { lines, shapes, pictures } = thingsOn(composed)
  const { widthPx, heightPx } = scene
  const isMirrored = scene.background.body.includes('matrix(-1')
  const left = isMirrored ? widthPx - content.x - content.width : content.x
  const area = { left, top: content.y, right: left + content.width, bottom: content.y + content.height }
  const card = { left: 0, top: 0, right: widthPx, bottom: heightPx }
  const faults: string[] = []
  if (!isInside(area, card, -marginPxMin)) faults.push(`the content meets the edge: ${shown(area)}`)
  for (const thing of [...lines, ...shapes, ...pictures])
    if (!isInside(thing, area)) faults.push(`${thing.name} leaves ${shown(area)}: ${shown(thing)}`)
  for (const line of lines) {
    for (const other of lines)
      if (line.text !== other.text && !isOneCode(line, other) && overlap(line, other))
        faults.push(`${line.name} runs into ${other.name}: ${shown(line)}, ${shown(other)}`)
    const { left: x, top: y, widthPx: width, heightPx: height } = line.text
    const own = { left: x, top: y, right: x + width, bottom: y + height }
    if (!isInside(line, own)) faults.push(`${line.name} leaves its box ${shown(own)}: ${shown(line)}`)
    for (const picture of pictures)
      if (overlap(line, picture))
        faults.push(`${line.name} runs into a picture: ${shown(line)}, ${shown(picture)}`)
    for (const shape of shapes)
      if (overlap(line, shape) && !isInside(line, shape, 1))
        faults.push(`${line.name} runs into a shape: ${shown(line)}, ${shown(shape)}`)
  }
  for (const [index, shape] of shapes.entries())
    for (const other of shapes.slice(index + 1))
      if (overlap(shape, other) && !isInside(other, shape))
        faults.push(`shapes meet: ${shown(shape)}, ${shown(other)}`)
  return [...faults, ...logoPlaceFaults(composed, area, marginPxMin)]
}

/** Colours of one code are set in layers that share their lines. */
function isOneCode(...lines: readonly { readonly name: string }[]): boolean {
  return lines.every(({ name }) => name === 'code')
}

/** The colour of a text's ink at a height, which may pass into another. */
export function inkOf(text: PlacedText): (y: number) => Rgb {
  const [fill, foot] = [text.fill, text.foot ?? text.fill].map((color) => parseHex(color)) as [Rgb, Rgb]
  const boxes = inkBoxes(text)
  const top = Math.min(...boxes.map((box) => box.top))
  const heightPx = Math.max(...boxes.map((box) => box.bottom)) - top
  return (y) => mix(fill, foot, Math.min(1, Math.max(0, (y - top) / heightPx)))
}

export function contrastFaults(composed: ComposedCard, under: (x: number, y: number) => Rgb): string[] {
  const { shapes } = thingsOn(composed)
  return composed.texts.flatMap((text) => {
    const ink = inkOf(text)
    const least = Math.min(
      ...inkBoxes(text).map((box) => {
        const plate = shapes.findLast((shape) => isInside(box, shape, 1))
        const color = plate && parseHex(plate.layer.fill)
        return color ? contrastRatio(ink(box.bottom), color) : leastContrast(ink, box, under)
      }),
    )
    const wanted = text.role === 'title' ? 7 : 4.5
    return least < wanted ? [`${text.role} has a contrast of ${least.toFixed(2)}`] : []
  })
}

function leastContrast(ink: (y: number) => Rgb, box: Box, under: (x: number, y: number) => Rgb): number {
  let least = 21
  const step = 1 / usualZoom
  for (let y = box.top; y <= box.bottom; y += step)
    for (let x = box.left; x <= box.right; x += 2 * step)
      least = Math.min(least, contrastRatio(ink(y), under(x, y)))
  return least
}
