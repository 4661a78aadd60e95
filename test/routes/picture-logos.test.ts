import { expect, test } from 'bun:test'
import { jpegHeader, plainPng, svgOf } from '../support/pictures.ts'
import { decodePng } from '../support/png-decode.ts'
import { startServer, type TestServer } from '../support/server.ts'

function badgeUrl(server: TestServer, type: string, logo: Uint8Array, more: Record<string, string> = {}) {
  const href = `data:image/${type};base64,${Buffer.from(logo).toString('base64')}`
  const query = { kind: 'badge', label: 'a', value: 'b', format: 'png', demo: '1', logo: href, ...more }
  return `${server.url}/api/transform?${new URLSearchParams(query)}`
}

/** Pixels of pure red, as [left, top, right, bottom]. */
function redBox({ widthPx, rgba }: ReturnType<typeof decodePng>) {
  const reds = Array.from({ length: rgba.length / 4 }, (_, index) => index).filter(
    (index) => rgba[4 * index] === 255 && rgba[4 * index + 1] === 0 && rgba[4 * index + 2] === 0,
  )
  const xs = reds.map((index) => index % widthPx)
  const ys = reds.map((index) => Math.floor(index / widthPx))
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs) + 1, Math.max(...ys) + 1]
}

for (const runtime of ['bun', 'deno'] as const) {
  test(`a caller's picture stands in the PNG of a badge where it stands in the SVG, on ${runtime}`, async () => {
    const server = await startServer({ runtime })
    try {
      const red = svgOf('<path fill="#f00" d="M0 0h100v100H0z"/>')
      for (const [scale, box] of [
        ['1', [5, 3, 19, 17]],
        ['4', [20, 12, 76, 68]],
      ] as const) {
        const response = await fetch(badgeUrl(server, 'svg+xml', red, { scale, color: '#123456' }))
        expect(response.status).toBe(200)
        expect(redBox(decodePng(new Uint8Array(await response.arrayBuffer())))).toEqual([...box])
      }
      const pixels = await fetch(badgeUrl(server, 'png', plainPng(640, 640)))
      expect(pixels.status).toBe(200)
    } finally {
      await server.stop()
    }
  })

  test(`the lines of an SVG logo are shapes of a card, on ${runtime}`, async () => {
    const server = await startServer({ runtime })
    try {
      const svg = svgOf('<path fill="none" stroke="#e11d48" stroke-width="9" d="M10 10L90 90"/>')
      const logo = `data:image/svg+xml;base64,${svg.toString('base64')}`
      const query = new URLSearchParams({ title: 'Tokens', theme: 'plain', scheme: 'light', demo: '1', logo })
      const response = await fetch(`${server.url}/api/og?${query}`)
      expect(response.status).toBe(200)
      const card = await response.text()
      expect(card).toContain('fill="#e11d48"')
      expect(card).not.toContain('<image')
    } finally {
      await server.stop()
    }
  })
}

test('a picture that cannot be drawn is a 400 that names logo, and costs nothing', async () => {
  const server = await startServer()
  try {
    async function remaining(value: string) {
      const response = await fetch(badgeUrl(server, 'png', plainPng(9, 9), { value }))
      return Number(response.headers.get('x-quota-remaining'))
    }
    const before = await remaining('before')
    // Its headers are right; what they promise is not there.
    for (const [type, logo] of [
      ['jpeg', jpegHeader(20, 20)],
      ['jpeg', jpegHeader(65_500, 65_500)],
      ['svg+xml', svgOf('<mask id="a" mask="url(#a)"/>')],
    ] as const) {
      const response = await fetch(badgeUrl(server, type, logo))
      expect(response.status).toBe(400)
      const { errors } = (await response.json()) as { errors: { parameter: string }[] }
      expect(errors.map(({ parameter }) => parameter)).toEqual(['logo'])
    }
    expect(await remaining('after')).toBe(before - 1)
  } finally {
    await server.stop()
  }
})
