import { afterAll, expect, test } from 'bun:test'
import { findFocus } from '../../../../src/assets/og/brand/brand-images.ts'
import { readPicture } from '../../../../src/assets/og/brand/read-upload.ts'
import { drawSvg } from '../../../../src/raster/draw-svg.ts'
import { encodeJpeg } from '../../../../src/raster/encode-lossy.ts'
import { createPictureDrawer } from '../../../../src/raster/picture-process/picture-drawer.ts'
import { randomFrom } from '../../../support/random.ts'

const pictures = createPictureDrawer()
afterAll(() => pictures.close())

const face =
  '<path d="M-95 210q0-110 95-110t95 110z" fill="#27496d"/><ellipse cy="-8" rx="78" ry="92" fill="#3a2417"/><ellipse cy="10" rx="62" ry="70" fill="#d9a27e"/><circle cx="-24" r="6"/><circle cx="24" r="6"/><path d="M-22 46q22 18 44 0" stroke="#8a3c2c" stroke-width="6" fill="none"/>'
const ladybird =
  '<circle r="70" fill="#c81d11"/><circle cx="-25" cy="-20" r="14"/><circle cx="20" cy="25" r="14"/>'
const bottle =
  '<rect x="-100" y="-180" width="200" height="360" rx="40" fill="#1769aa"/><rect x="-70" y="-90" width="140" height="110" fill="#fff"/>'

/** A subject on a background of soft spots in a few colours. */
async function focusIn(subject: string, x: number, y: number, colors: readonly string[]) {
  const random = randomFrom(9)
  const spots = Array.from(
    { length: 50 },
    () =>
      `<circle cx="${random.below(1200)}" cy="${random.below(800)}" r="${40 + random.below(120)}" fill="${colors[random.below(colors.length)]}" fill-opacity=".35"/>`,
  )
  const body = `<rect width="1200" height="800" fill="${colors[0]}"/>${spots.join('')}<g transform="translate(${x} ${y})">${subject}</g>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">${body}</svg>`
  const { grid } = await readPicture(await encodeJpeg(drawSvg(svg), 85), { pictures, client: 'operator' })
  return findFocus(grid)
}

test.each([
  ['a face at the end', face, 900, 330, ['#7d8a80', '#5f6f66', '#98a79a', '#6c7c8a']],
  ['a face at the start', face, 260, 360, ['#e9e4da', '#dcd3c2', '#f4efe6', '#cfc8bb']],
  ['a face near the foot', face, 620, 580, ['#263240', '#1c2733', '#33475b', '#2a3b33']],
  ['a ladybird in grass', ladybird, 930, 370, ['#3d6b1f', '#2f5817', '#5a8a2e', '#6fa03a']],
  ['a bottle on white', bottle, 400, 430, ['#f6f6f6', '#f0f0f0']],
])('the focus that is found in a picture is near %s', async (_, subject, x, y, colors) => {
  const focus = await focusIn(subject, x, y, colors)
  expect(Math.abs(focus.x - x / 12)).toBeLessThan(9)
  expect(Math.abs(focus.y - y / 8)).toBeLessThan(14)
})

test('a picture of one colour has its focus in the middle', async () => {
  expect(await focusIn('', 0, 0, ['#48699b'])).toEqual({ x: 50, y: 50 })
})
