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
import cases from './svg-shapes.json' with { type: 'json' }

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

test.each(cases.right)('%s gives shapes', async (_, body, plain) => {
  const [shapes, expected] = await Promise.all([
    shapesOf(logoSvg(body).toString()),
    shapesOf(logoSvg(plain).toString()),
  ])
  if (shapes === undefined || expected === undefined) throw new Error('needs pixels')
  const { mean } = compareDrawings(drawOnWhite(shapes, 200), drawOnWhite(expected, 200))
  expect(mean).toBeLessThan(0.05)
})

test.each(cases.left)('%s needs pixels', async (_, body) => {
  expect(await shapesOf(logoSvg(body).toString())).toBeUndefined()
})

test.each(cases.last)('%s that cannot be drawn is refused with the reason', (_, body, reason) => {
  expect(readSafeSvg(logoSvg(body), { isRedrawn: true })).toBe(reason)
})
