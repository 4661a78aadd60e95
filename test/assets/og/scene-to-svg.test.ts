import { describe, expect, test } from 'bun:test'
import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import { createCardRenderer } from '../../../src/assets/og/card-renderer.ts'
import { sceneToSvg } from '../../../src/assets/og/scene-to-svg.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import type { Scene } from '../../../src/raster/scene.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { sampleOf, sampleSize } from '../../support/test-size.ts'
import { parseXml, textOf, walk, type XmlElement } from '../../support/xml-tree.ts'
import { cards, corpus } from './corpus.ts'
import cases from './scene-to-svg.json' with { type: 'json' }

async function draw(params: CardParams): Promise<string> {
  return (await cards.svgPieces({ params })).join('')
}

function find(root: XmlElement, name: string): XmlElement[] {
  return [...walk(root)].filter((element) => element.name === name)
}

const empty: Scene = {
  widthPx: 1200,
  heightPx: 630,
  background: { key: 'none', color: '#000000', defs: '', body: '' },
  layers: [],
}

describe('the document', () => {
  test('says what it shows to those who do not see it', async () => {
    const words = { title: 'A & B', subtitle: '<i>', author: 'O"Neil', url: 'https://www.x.org/' }
    const root = parseXml(await draw({ theme: 'grid', ...words }))
    const named = { role: 'img', 'aria-labelledby': 'og-t og-d' }
    expect(root.attributes).toMatchObject({ viewBox: '0 0 1200 630', ...named })
    expect(find(root, 'title').map(textOf)).toEqual(['A & B'])
    expect(find(root, 'desc').map(textOf)).toEqual(['<i> · O"Neil · x.org'])
  })

  test('has no description when there is nothing to describe', async () => {
    const root = parseXml(await draw({ theme: 'paper', title: 'Alone' }))
    expect(root.attributes['aria-labelledby']).toBe('og-t')
    expect(find(root, 'desc')).toEqual([])
  })

  test('escapes what would end it or start a script', async () => {
    for (const title of cases.titles) {
      const svg = await draw({ theme: 'poster', title, subtitle: title, author: title, url: title })
      expect(find(parseXml(svg), 'title').map(textOf)).toEqual([title])
      expect(svg).not.toContain('<script')
    }
  })

  test('writes a picture that comes again only once', async () => {
    const root = parseXml(await draw({ theme: 'aurora', title: '🎉🎉🎉🎉', subtitle: '🎉 🚀' }))
    expect(find(root, 'use')).toHaveLength(4)
    const ids = find(root, 'g').flatMap(({ attributes }) => attributes['id'] ?? [])
    expect(ids).toEqual(['og-e0', 'og-e1'])
  })

  test('stays below 400 KB however many different pictures a text names', async () => {
    const flags = Array.from({ length: 26 }, (_, index) => String.fromCodePoint(0x1f1e6 + index))
    const pairs = flags.flatMap((first) => flags.map((second) => first + second))
    for (let start = 0; start < pairs.length; start += 200) {
      const many = pairs.slice(start, start + 200)
      const [title, subtitle] = [many.slice(0, 40).join(''), many.slice(40, 100).join('')]
      const svg = await draw({ theme: 'aurora', title, subtitle })
      parseXml(svg)
      expect(svg.length).toBeLessThan(400_000)
    }
  })

  test('has each id once', async () => {
    for (const { id, params } of sampleOf(corpus(), 16)) {
      const ids = [...walk(parseXml(await draw(params)))].flatMap(({ attributes }) => attributes['id'] ?? [])
      expect(new Set(ids).size, id).toBe(ids.length)
    }
  })

  test('keeps six digits of a scale, so that the end of a long line does not drift', () => {
    const place = { x: 1 / 3, y: 0, scale: 0.0123456789 }
    const layer = { kind: 'path', d: 'M0 0h1v1z', ...place, fill: '#aabbcc' } as const
    const svg = sceneToSvg({ ...empty, layers: [layer] }, { title: 't', desc: '' }).join('')
    expect(svg).toContain('<path fill="#abc" transform="translate(.33 0)scale(.0123457)" d="M0 0h1v1z"/>')
  })
})

describe('equal parameters', () => {
  test('give equal bytes, from a fresh renderer and from a warm one', async () => {
    const fresh = createCardRenderer(createTextEngine())
    for (const { id, params } of corpus().slice(-sampleSize(60, 5))) {
      const first = (await fresh.svgPieces({ params })).join('')
      expect((await fresh.svgPieces({ params })).join(''), id).toBe(first)
      expect(await draw(params), id).toBe(first)
    }
  })

  test('give equal background keys, and only equal pictures share one', async () => {
    const pictures = new Map<string, string>()
    for (const theme of themeNames) {
      for (const title of ['One', 'Two', 'Three', 'Four', 'Five', 'אחת', 'שתיים']) {
        for (const accent of [undefined, '#f00', '#ff0000', '#0a7', '#123456']) {
          const params = { theme, title, ...(accent === undefined ? {} : { accent }) }
          const { key, defs, body } = (await cards.composed({ params })).scene.background
          expect(pictures.get(key) ?? defs + body).toBe(defs + body)
          pictures.set(key, defs + body)
        }
      }
    }
    expect(new Set(pictures.values()).size).toBe(pictures.size)
  })
})
