import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { packageFile } from '../../src/lib/package-files.ts'
import { shapesOf } from '../../src/raster/picture-process/svg-thread.ts'
import { readSafeSvg } from '../../src/svg/read-safe-svg.ts'
import {
  compareDrawings,
  drawOnWhite,
  exampleLogos,
  logoSvg,
} from '../assets/og/brand/support/example-files.ts'
import { randomFrom } from '../support/random.ts'
import { sampleOf, sampleSize } from '../support/test-size.ts'

/** Only every nth of about 3,400 icons is tried. */
const everyNthIcon = sampleSize(40, 500)

/** How far the shapes of a document are from what resvg draws of it, on white, in a view box with a margin around it. */
async function differenceOf(document: string, side: number, marginSide: number, widthPx: number) {
  const whole = side + 2 * marginSide
  const source = document.replace(
    /viewBox="[^"]*"/,
    `viewBox="${-marginSide} ${-marginSide} ${whole} ${whole}"`,
  )
  // On a sheet that fills the view box, so that the shapes keep their place in it.
  const sheet = `<path style="fill:#fff" d="M${-marginSide} ${-marginSide}h${whole}v${whole}h${-whole}z"/>`
  const shapes = await shapesOf(source.replace(/<svg [^>]*>/, `$&${sheet}`))
  if (shapes?.startsWith('<') !== true) throw new Error(`${shapes}: ${source}`)
  return compareDrawings(drawOnWhite(source, widthPx), drawOnWhite(shapes, widthPx))
}

test.each(sampleOf(Object.entries(exampleLogos), 4))(
  'shapes are what the document shows: %s',
  async (_, body) => {
    const { mean, farShare } = await differenceOf(logoSvg(body).toString(), 100, 30, 320)
    expect(mean).toBeLessThan(0.12)
    expect(farShare).toBeLessThan(0.0001)
  },
)

test.each([
  ['as they are', 0.5, (svg: string) => svg],
  ['filled by the even-odd rule', 0.5, (svg: string) => svg.replace('<path ', '<path fill-rule="evenodd" ')],
  [
    'with a line around',
    0.9,
    (svg: string) => svg.replace('<path ', '<path stroke="#888" stroke-width=".3" '),
  ],
] as const)('the shapes of icons %s are what resvg draws of them', async (_, meanMax, change) => {
  const folder = packageFile('simple-icons', 'icons/')
  const files = readdirSync(folder)
    .sort()
    .filter((_, index) => index % everyNthIcon === 0)
  expect(files.length).toBeGreaterThan(sampleSize(60, 4))
  const wrong: string[] = []
  for (const file of files) {
    const svg = change(readFileSync(folder + file, 'utf8'))
    const { mean, farShare } = await differenceOf(svg, 24, 1, 104)
    if (mean > meanMax || farShare > 0.0002) wrong.push(`${file}: ${mean} ${farShare}`)
  }
  expect(wrong).toEqual([])
})

test('the shapes of a line are what resvg draws of it, however tight it turns', async () => {
  const random = randomFrom(11)
  function point() {
    return `${random.below(100)} ${random.below(100)}`
  }
  for (let index = 0; index < sampleSize(100, 10); index++) {
    const curves = Array.from({ length: 1 + random.below(3) }, () =>
      random.pick([`L${point()}`, `C${point()} ${point()} ${point()}`, `Q${point()} ${point()}`]),
    )
    const width = random.pick([5, 10, 20, 45])
    const look = [
      `stroke-width="${width}"`,
      `stroke-linecap="${random.pick(['butt', 'round', 'square'])}"`,
      `stroke-linejoin="${random.pick(['miter', 'round', 'bevel'])}"`,
    ].join(' ')
    // The middle of a thick line around something narrow is left out by resvg.
    const d = `M${point()}${curves.join('')}${width < 20 ? random.pick(['', 'Z']) : ''}`
    const svg = logoSvg(`<path fill="none" stroke="#000" ${look} d="${d}"/>`).toString()
    const { mean, farShare } = await differenceOf(svg, 100, 100, 300)
    if (mean > 0.2 || farShare > 0.0005) throw new Error(`${mean} ${farShare}: ${svg}`)
  }
})

test.each([
  [10, 10, 30],
  [10, 10, 50],
  [20, 12, 50],
  [10, 2, 50],
])('a ring of radii %d and %d whose line is %d wide has no hole', async (radiusX, radiusY, width) => {
  const ring = `<ellipse cx="50" cy="50" rx="${radiusX}" ry="${radiusY}" fill="none" stroke="#000" stroke-width="${width}"/>`
  const filled = ring.replace('fill="none"', '')
  const [drawn, whole] = await Promise.all([ring, filled].map((body) => shapesOf(logoSvg(body).toString())))
  const { mean } = compareDrawings(drawOnWhite(drawn ?? '', 100), drawOnWhite(whole ?? '', 100))
  expect(drawn).toStartWith('<svg')
  expect(mean).toBeLessThan(0.1)
})

test.each([
  [
    'a selector of more than one element',
    '<style>g path{fill:red}</style><g><path d="M9 9h9v9z"/></g>',
    '<path fill="red" d="M9 9h9v9z"/>',
  ],
  [
    '!important',
    '<path fill="lime" style="fill:red!important" d="M9 9h9v9z"/>',
    '<path fill="red" d="M9 9h9v9z"/>',
  ],
  ['a length in percent', '<rect width="50%" height="9"/>', '<rect width="50" height="9"/>'],
  [
    'even-odd contours that cross',
    '<path fill-rule="evenodd" d="M0 0H60V60H0zM30 30H90V90H30z"/>',
    '<path d="M0 0H60V30H30V60H0zM60 30H90V90H30V60H60z"/>',
  ],
  [
    'even-odd contours that touch',
    '<path fill-rule="evenodd" d="M0 0H90V90H0zM0 45L45 0L90 45L45 90z"/>',
    '<path d="M0 0H45L0 45zM45 0H90V45zM90 45V90H45zM45 90H0V45z"/>',
  ],
])('%s gives shapes', async (_, body, plain) => {
  const [shapes, expected] = await Promise.all([
    shapesOf(logoSvg(body).toString()),
    shapesOf(logoSvg(plain).toString()),
  ])
  if (shapes === undefined || expected === undefined) throw new Error('needs pixels')
  const { mean } = compareDrawings(drawOnWhite(shapes, 200), drawOnWhite(expected, 200))
  expect(mean).toBeLessThan(0.05)
})

test.each([
  [
    'a gradient',
    '<linearGradient id="g"><stop/><stop offset="1" stop-color="red"/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/>',
  ],
  [
    'a clip path',
    '<clipPath id="c"><path d="M0 0h9v9z"/></clipPath><path clip-path="url(#c)" d="M0 0h9v9z"/>',
  ],
  ['a mask', '<mask id="m"><path d="M0 0h9v9z"/></mask><path mask="url(#m)" d="M0 0h9v9z"/>'],
  ['dashes', '<path stroke="#000" stroke-dasharray="4 2" d="M0 0h90"/>'],
  ['a see-through group', '<g opacity=".5"><path d="M0 0h9v9z"/><path d="M0 0h9v9z"/></g>'],
  [
    'a see-through symbol',
    '<symbol id="s" opacity=".5"><path d="M0 0h9v9z"/><path d="M9 0h9v9z"/></symbol><use href="#s"/>',
  ],
  ['a line below its fill', '<path stroke="red" paint-order="stroke" d="M9 9h9v9z"/>'],
  ['blending', '<path style="mix-blend-mode:multiply" d="M9 9h9v9z"/>'],
  ['what leaves the view box', '<path d="M0 0h900v9z"/>'],
  [
    'what leaves a symbol',
    '<symbol id="s" viewBox="0 0 9 9"><path d="M0 0h99v99z"/></symbol><use href="#s" width="50" height="50"/>',
  ],
])('%s needs pixels', async (_, body) => {
  expect(await shapesOf(logoSvg(body).toString())).toBeUndefined()
})

test.each([
  ['text', '<text>abc</text>', 'has text: turn it into outlines'],
  [
    'text beside what needs pixels',
    '<linearGradient id="g"><stop/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/><g><text>a</text></g>',
    'has text: turn it into outlines',
  ],
  ['path data', '<path d="M0 0L1 x"/>', 'has path data that cannot be read'],
  ['a path without a start', '<path d="L5 5 9 0z"/>', 'has path data that cannot be read'],
  ['points', '<polygon points="1 2 C 3 4 5 6"/>', 'has points that cannot be read'],
  ['a transform', '<path transform="turn(3)" d="M0 0h9v9z"/>', 'has a transform that cannot be read'],
])('%s that cannot be drawn is refused with the reason', (_, body, reason) => {
  expect(readSafeSvg(logoSvg(body), { isRedrawn: true })).toBe(reason)
})
