import { expect, test } from 'bun:test'
import { type Avatar, avatarJson, avatarOf, avatarPalette } from '../../../src/assets/avatar/avatar-of.ts'
import { createAvatarRenderer } from '../../../src/assets/avatar/avatar-renderer.ts'
import { avatarQuery } from '../../../src/assets/avatar/query.ts'
import { decodeQuery } from '../../../src/http/query.ts'
import { hexContrast, parseHex, toOklch } from '../../../src/lib/color.ts'
import { drawPremultiplied } from '../../../src/raster/draw-svg.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { randomFrom } from '../../support/random.ts'
import { parseXml, textOf, walk } from '../../support/xml-tree.ts'
import cases from './avatar-renderer.json' with { type: 'json' }

const renderer = createAvatarRenderer(createTextEngine())

function avatar(query: string): Avatar {
  const decoded = decodeQuery(avatarQuery, query)
  if ('errors' in decoded) throw new Error(JSON.stringify(decoded.errors))
  return avatarOf(decoded.value)
}

async function draw(query: string): Promise<string> {
  return renderer(avatar(query))
}

test('every pair of Latin initials fits into 800 bytes', async () => {
  for (let first = 65; first < 91; first++) {
    for (let last = 65; last < 91; last++) {
      const svg = await draw(`name=${String.fromCharCode(first)}da+${String.fromCharCode(last)}ovelace`)
      expect(svg.length).toBeLessThanOrEqual(800)
    }
  }
})

test.each(cases.initials)('initials=%s are shown as %s, whatever the name is', (query, expected) => {
  expect(avatar(`name=Grace+Hopper&initials=${query}`).initials).toBe(expected)
})

test.each(['abcd', 'a b', '', '%20', '%0A', 'a'.repeat(500)])(
  'initials=%s are refused with the parameter named',
  (initials) => {
    const decoded = decodeQuery(avatarQuery, `name=Ada&initials=${initials}`)
    expect('errors' in decoded && decoded.errors.map(({ parameter }) => parameter)).toEqual(['initials'])
  },
)

test('the letters reach a contrast of 4.5 on the palette and on 2,000 random backgrounds', () => {
  for (const color of avatarPalette)
    expect(
      hexContrast(color, avatar(`name=A+B&background=${color.slice(1)}`).color),
      color,
    ).toBeGreaterThanOrEqual(5)
  const random = randomFrom(3)
  for (let count = 0; count < 2000; count++) {
    const hex = random
      .below(2 ** 24)
      .toString(16)
      .padStart(6, '0')
    const { background, color } = avatar(`name=A+B&background=${hex}`)
    expect(background).toBe(`#${hex}`)
    expect(hexContrast(background, color)).toBeGreaterThanOrEqual(4.5)
  }
})

test('letters of a chosen colour get a background on which they can be read', () => {
  const random = Array.from({ length: 2_000 }, (_, index) =>
    ((index * 7_919_993) % 0x1000000).toString(16).padStart(6, '0'),
  )
  for (const color of ['000', '111', 'fff', '800000', 'ffd700', '1767d1', 'e42837', ...random]) {
    const made = avatar(`name=Ada+Lovelace+${color}&color=${color}`)
    expect(hexContrast(made.background, made.color)).toBeGreaterThanOrEqual(4.5)
  }
})

test('the seed, not the name, chooses the colour when it is given', () => {
  const colors = new Set(
    Array.from({ length: 60 }, (_, index) => avatar(`name=A+B&seed=${index}`).background),
  )
  expect(colors.size).toBeGreaterThan(12)
  expect(avatar('name=A+B&seed=x').background).toBe(avatar('name=C+D&seed=x').background)
})

test('rounded is the older word for the shape', () => {
  expect(avatar('name=A&rounded=true').shape).toBe('circle')
  expect(avatar('name=A&rounded=false').shape).toBe('square')
  expect(avatar('name=A&rounded=true&shape=rounded').shape).toBe('rounded')
})

for (const name of cases.names) {
  test(`${name}: the ink stays inside the circle and in its middle`, async () => {
    for (const size of ['', '&font-size=1', '&length=3', '&bold=true', '&uppercase=false']) {
      const svg = await draw(
        `name=${encodeURIComponent(name)}&size=200&shape=circle&background=000&color=fff${size}`,
      )
      const outside = svg.replace(/<rect[^>]*>/, '<rect width="100" height="100" fill="#000000"/>')
      const { pixels, width } = drawPremultiplied(outside)
      const red = pixels.filter((_, index) => index % 4 === 0)
      const far = red.findIndex(
        (value, at) => value > 40 && Math.hypot((at % width) - 99.5, Math.floor(at / width) - 99.5) > 102,
      )
      expect(far).toBe(-1)
    }
  })
}

test('hostile names make well-formed XML whose title is the name', async () => {
  for (const name of ['<script>alert(1)</script>', '"&\'<>', ']]>', 'x\u0301\u0301y']) {
    const root = parseXml(await draw(`name=${encodeURIComponent(name)}`))
    expect(textOf([...walk(root)].find((node) => node.name === 'title') ?? root)).toBe(name.normalize('NFC'))
  }
})

test('the JSON says what a caller needs to draw it', () => {
  expect(avatarJson(avatar('name=Ada+Lovelace&background=fdd835&size=64'))).toEqual({
    kind: 'avatar',
    name: 'Ada Lovelace',
    initials: 'AL',
    glyph: 'initials',
    background: '#fdd835',
    color: '#1a1a1a',
    contrast: 12.47,
    size: 64,
    shape: 'circle',
  })
})

test('plain names take the short way to the same initials', () => {
  for (const name of ['Ada Lovelace', 'Dr Doe', 'Ken Jr', 'Van Morrison', 'Sir Paul', 'Don Giovanni']) {
    expect(avatar(`name=${encodeURIComponent(name)}`).initials).toBe(
      avatar(`name=${encodeURIComponent(name)}&length=2`).initials,
    )
  }
})

test('the palette has sixteen hues that are told apart, and none that is olive or brown', () => {
  expect(new Set(avatarPalette).size).toBe(16)
  for (const color of avatarPalette) {
    const { l, c, h } = toOklch(parseHex(color) ?? { r: 0, g: 0, b: 0 })
    expect(c, color).toBeGreaterThan(0.09)
    // Dark yellow is olive, dark orange is brown.
    if (h > 45 && h < 135) expect(l, color).toBeGreaterThan(0.72)
    for (const other of avatarPalette) {
      if (other === color) continue
      const { l: otherL, c: otherC, h: otherH } = toOklch(parseHex(other) ?? { r: 0, g: 0, b: 0 })
      const turn = (((h - otherH + 540) % 360) - 180) * (Math.PI / 180)
      const apart = Math.hypot(
        l - otherL,
        Math.sqrt(c * c + otherC * otherC - 2 * c * otherC * Math.cos(turn)),
      )
      expect(apart, `${color} ${other}`).toBeGreaterThan(0.035)
    }
  }
})

test('letters are as readable at both ends of a gradient', async () => {
  for (let index = 0; index < 300; index++) {
    const hex = ((index * 7_919_993) % 0x1000000).toString(16).padStart(6, '0')
    const query = `name=Ada+Lovelace&style=gradient&background=${hex}`
    const ends = [...(await draw(query)).matchAll(/stop-color="(#[0-9a-f]{6})"/g)].map(
      ([, color = '']) => color,
    )
    expect(ends).toHaveLength(2)
    for (const end of ends) expect(hexContrast(end, avatar(query).color)).toBeGreaterThanOrEqual(4.45)
  }
})

test.each([16, 24, 31, 32, 40, 48, 100, 256])(
  'cells of shapes of %d px begin at whole pixels, so that no seam is between them; small ones have four',
  async (sizePx) => {
    const svg = await draw(`name=Ada&style=shapes&size=${sizePx}&shape=square`)
    const edges = new Set(
      [...svg.matchAll(/[M ](-?[\d.]+) (-?[\d.]+)h([\d.]+)v\3h-\3z/g)].map(
        ([, x]) => (Number(x) * sizePx) / 100,
      ),
    )
    expect(edges.size).toBeGreaterThan(0)
    for (const edge of edges) expect(Math.abs(edge - Math.round(edge))).toBeLessThan(0.02)
    expect(edges.size).toBeLessThanOrEqual(sizePx < 32 ? 2 : 3)
  },
)

test('shapes differ by name, are the same for one seed, and leave no letters', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Person ${index}`)
  const drawn = await Promise.all(
    names.map((name) => draw(`name=${encodeURIComponent(name)}&style=shapes&background=1d5ff0`)),
  )
  const bodies = drawn.map((svg) => svg.replace(/^.*?<g/, '').replaceAll(/a[0-9a-z]+\)/g, ''))
  expect(new Set(bodies).size).toBeGreaterThan(36)
  const [one, other] = await Promise.all(
    ['A', 'B'].map((name) => draw(`name=${name}&seed=x&style=shapes&title=t`)),
  )
  expect(one).toBe(other)
  expect(avatarJson(avatar('name=A&style=shapes')).glyph).toBe('shapes')
})
