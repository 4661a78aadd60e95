import { afterAll, expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { readLogo, uploadedLogo } from '../../../../src/assets/og/brand/read-upload.ts'
import { createPictureDrawer } from '../../../../src/raster/picture-process/picture-drawer.ts'
import { writeShapesSvg } from '../../../../src/svg/shapes-svg.ts'
import golden from '../../../golden/logos.json' with { type: 'json' }
import { compareDrawings, drawOnWhite, exampleLogos, logoSvg } from './support/example-files.ts'

const pictures = createPictureDrawer()
afterAll(() => pictures.close())

async function readShapes(body: string) {
  const logo = await readLogo(logoSvg(body), uploadedLogo, { pictures, client: 'test' })
  if (logo.kind !== 'shapes') throw new Error(logo.kind)
  return logo
}

test.each(Object.entries(golden))('a stored logo is what it was: %s', async (name, stored) => {
  const svg = writeShapesSvg(await readShapes(exampleLogos[name] ?? ''))
  const { mean, farShare } = compareDrawings(drawOnWhite(stored, 200), drawOnWhite(svg, 200))
  expect(mean).toBeLessThan(0.2)
  expect(farShare).toBe(0)
})

test.each([
  'star that crosses itself',
  'nested transforms',
  'symbol',
  'rules by name, class and id',
] as const)('a stored logo of lines is what it was, to the letter: %s', async (name) => {
  expect(writeShapesSvg(await readShapes(exampleLogos[name] ?? ''))).toBe(golden[name])
})

test('shapes are written as they are read: absolute lines and curves with one decimal', async () => {
  const logo = await readShapes(
    '<circle cx="50" cy="50" r="30" fill="none" stroke="#06c" stroke-width="20"/>',
  )
  expect([logo.width, logo.height, logo.singleColor]).toEqual([1000, 1000, '#0066cc'])
  expect(logo.shapes.map(({ d }) => d.match(/[MZ]/g)?.join(''))).toEqual(['MZMZ'])
  expect(logo.shapes[0]?.d).toMatch(/^(?:[MLCZ]|-?\d+(?:\.\d)?| )+$/)
  expect(hash('sha256', JSON.stringify([{ width: 1000, height: 1000 }, logo.shapes]))).toBe(logo.key)
})
