import { describe, expect, test } from 'bun:test'
import { Buffer } from 'node:buffer'
import { svgToPng } from '../../src/raster/draw-svg.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

const server = started(startService)

const mark =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20"><circle cx="10" cy="10" r="10" fill="#e11d48"/><rect x="22" width="18" height="20" fill="#0f766e"/></svg>'

function dataUrl(type: string, bytes: string | Uint8Array): string {
  return `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`
}

function card(logo: string, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const query = new URLSearchParams({ title: 'Design tokens', demo: '1', logo, ...more })
  return fetch(`${server.url}/api/og?${query}`)
}

async function usedToday(): Promise<number> {
  const stats = (await (await fetch(`${server.url}/api/stats`)).json()) as { demo: { used: number } }
  return stats.demo.used
}

describe('a logo in the URL of a card', () => {
  test('is drawn as shapes where it is an SVG of shapes', async () => {
    const response = await card(dataUrl('svg+xml', mark))
    expect(response.status).toBe(200)
    const svg = await response.text()
    expect(svg).toContain('#0f766e')
    expect(svg).not.toContain('<image')
  })

  test('is refused with what to do where it has text, also beside a gradient', async () => {
    const gradient = '<linearGradient id="g"><stop/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/>'
    for (const body of ['<text>Acme</text>', `${gradient}<g><text>Acme</text></g>`]) {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">${body}</svg>`
      const response = await card(dataUrl('svg+xml', svg))
      expect(response.status).toBe(400)
      const errors = [{ parameter: 'logo', message: 'has text: turn it into outlines' }]
      expect(await response.json()).toMatchObject({ errors })
    }
  })

  test('is drawn as pixels that we encoded where it is a picture', async () => {
    const png = svgToPng(mark.replace('<svg ', '<svg width="40" height="20" '))
    const response = await card(dataUrl('png', png))
    expect(response.status).toBe(200)
    const svg = await response.text()
    expect([...svg.matchAll(/<image /g)]).toHaveLength(1)
    expect(svg).toContain('href="data:image/png;base64,')
    const pixels = await card(dataUrl('png', png), { format: 'png', width: '600' })
    expect(pixels.headers.get('content-type')).toBe('image/png')
  })

  test('names an icon, or the mistake says which one was meant', async () => {
    expect((await card('github')).status).toBe(200)
    const wrong = await card('githubb')
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({
      errors: [{ parameter: 'logo', message: expect.stringContaining('did you mean github?') }],
    })
  })

  test('is refused by its name where it cannot be drawn, and is not counted', async () => {
    const before = await usedToday()
    const wrong = [
      dataUrl('png', mark),
      dataUrl('svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'),
      dataUrl('svg+xml', `<!DOCTYPE svg [<!ENTITY a "b">]>${mark}`),
      dataUrl('svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"><image href="http://127.0.0.1/"/></svg>'),
      dataUrl('svg+xml', mark + ' '.repeat(8192)),
      dataUrl('jpeg', Uint8Array.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 1])),
      dataUrl('gif', 'GIF89a'),
      'data:image/png;base64,',
      'data:text/html;base64,PHA+',
      'data:image/svg+xml;base64,%%%',
    ]
    for (const logo of wrong) {
      const response = await card(logo)
      expect(response.status, logo.slice(0, 60)).toBe(400)
      expect(await response.json()).toMatchObject({ code: 'invalid_query', errors: [{ parameter: 'logo' }] })
    }
    expect(await usedToday()).toBe(before)
  })
})
