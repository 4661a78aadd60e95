import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../../src/lib/package-files.ts'
import { outlineToPath } from '../../src/svg/outline.ts'
import { readSafeSvg } from '../../src/svg/read-safe-svg.ts'
import { NeedsPixels, UnreadableSvg } from '../../src/svg/svg-errors.ts'
import { readSvgShapes, type SvgShapes } from '../../src/svg/svg-shapes.ts'
import { compareDrawings, drawOnWhite, shapesSvg } from '../assets/og/brand/support/draw-logo.ts'
import { exampleLogos, logoSvg } from '../assets/og/brand/support/example-logos.ts'

/** Only every nth of about 3,400 icons is tried. */
const everyNthIcon = 40

function shapesOf(bytes: Uint8Array): SvgShapes {
  const svg = readSafeSvg(bytes, { allowsNotes: true })
  if (typeof svg === 'string') throw new Error(svg)
  return readSvgShapes(svg.elements)
}

/** The shapes in the view box of the document, which starts at 0. */
function drawShapes({ shapes }: SvgShapes, side: number, widthPx: number): Uint8Array {
  const flat = shapes.map(({ outline, fill, opacity }) => ({ d: outlineToPath(outline, 3), fill, opacity }))
  return drawOnWhite(shapesSvg({ width: side, height: side, shapes: flat }), widthPx)
}

test.each(Object.entries(exampleLogos))('shapes are what the document shows: %s', (_, body) => {
  const bytes = logoSvg(body)
  const { mean, farShare } = compareDrawings(
    drawOnWhite(bytes.toString(), 200),
    drawShapes(shapesOf(bytes), 100, 200),
  )
  expect(mean).toBeLessThan(0.3)
  expect(farShare).toBeLessThan(0.0002)
})

test('the shapes of icons are what resvg draws of them', () => {
  const folder = packageFile('simple-icons', 'icons/')
  const files = readdirSync(folder)
    .sort()
    .filter((_, index) => index % everyNthIcon === 0)
  expect(files.length).toBeGreaterThan(60)
  const wrong = files.filter((file) => {
    const bytes = readFileSync(folder + file)
    const { mean, farShare } = compareDrawings(
      drawOnWhite(bytes.toString(), 96),
      drawShapes(shapesOf(bytes), 24, 96),
    )
    return mean > 0.4 || farShare > 0.0002
  })
  expect(wrong).toEqual([])
})

test.each([
  ['a gradient', '<linearGradient id="g"><stop/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/>'],
  [
    'a clip path',
    '<clipPath id="c"><path d="M0 0h9v9z"/></clipPath><path clip-path="url(#c)" d="M0 0h9v9z"/>',
  ],
  ['a mask', '<mask id="m"><path d="M0 0h9v9z"/></mask><path mask="url(#m)" d="M0 0h9v9z"/>'],
  ['dashes', '<path stroke="#000" stroke-dasharray="4 2" d="M0 0h90"/>'],
  ['a see-through group', '<g opacity=".5"><path d="M0 0h9v9z"/><path d="M0 0h9v9z"/></g>'],
  ['a selector of more than one element', '<style>g path{fill:red}</style><g><path d="M0 0h9v9z"/></g>'],
  ['!important', '<path style="fill:red!important" d="M0 0h9v9z"/>'],
  ['a see-through symbol', '<symbol id="s" opacity=".5"><path d="M0 0h9v9z"/></symbol><use href="#s"/>'],
  ['a length in percent', '<rect width="50%" height="9"/>'],
  ['even-odd contours that cross', '<path fill-rule="evenodd" d="M0 0H60V60H0zM30 30H90V90H30z"/>'],
])('%s needs pixels', (_, body) => {
  expect(() => shapesOf(logoSvg(body))).toThrow(NeedsPixels)
})

test.each([
  ['text', '<text>abc</text>', 'has text: turn it into outlines'],
  ['path data', '<path d="M0 0L1 x"/>', 'has path data that cannot be read'],
  ['a path without a start', '<path d="L5 5 9 0z"/>', 'has path data that cannot be read'],
  ['points', '<polygon points="1 2 C 3 4 5 6"/>', 'has points that cannot be read'],
  ['a transform', '<path transform="turn(3)" d="M0 0h9v9z"/>', 'has a transform that cannot be read'],
])('%s that cannot be drawn is refused with the reason', (_, body, reason) => {
  expect(() => shapesOf(logoSvg(body))).toThrow(new UnreadableSvg(reason))
})
