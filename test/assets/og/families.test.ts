import { describe, expect, test } from 'bun:test'
import { cards } from './corpus.ts'

async function backgroundKey(params: { title: string; author?: string; url?: string }) {
  const { scene } = await cards.composed({ params: { theme: 'poster', ...params } })
  return { accent: scene.background.color, body: scene.background.body }
}

describe('cards of one site look like one family', () => {
  test('its pages and subdomains have one colour, whatever the title and the author', async () => {
    const urls = [
      'harbour.dev',
      'https://www.harbour.dev/blog/post',
      'docs.harbour.dev',
      'a.b.harbour.dev/x?y=1',
    ]
    const looks = await Promise.all(
      urls.map((url, index) => backgroundKey({ title: `Page ${index}`, author: `Author ${index}`, url })),
    )
    expect(new Set(looks.map(({ accent }) => accent)).size).toBe(1)
  })

  test('sites below a suffix that many share are told apart', async () => {
    const looks = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        backgroundKey({ title: 'Page', url: `site${index}.github.io` }),
      ),
    )
    expect(new Set(looks.map(({ accent }) => accent)).size).toBeGreaterThan(5)
  })

  test('without an address the author chooses the colour, without an author the title', async () => {
    const one = await backgroundKey({ title: 'One', author: 'Ada Lovelace' })
    const other = await backgroundKey({ title: 'Another', author: 'Ada Lovelace' })
    expect(other.accent).toBe(one.accent)
    const titles = Array.from({ length: 24 }, (_, index) => backgroundKey({ title: `Title ${index}` }))
    expect(new Set((await Promise.all(titles)).map(({ accent }) => accent)).size).toBeGreaterThan(5)
  })

  test('titles share colours but not a wall of tiles', async () => {
    const looks = await Promise.all(
      Array.from({ length: 64 }, (_, index) => backgroundKey({ title: `Page ${index}`, url: 'harbour.dev' })),
    )
    expect(new Set(looks.map(({ body }) => body)).size).toBeGreaterThanOrEqual(16)
    const fills = looks.map(({ body }) => [...new Set(body.match(/fill="#[0-9a-f]+"/g))].sort().join(' '))
    expect(new Set(fills).size).toBe(1)
  })
})
