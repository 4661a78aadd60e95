import { afterAll, expect, test } from 'bun:test'
import { type Card, createCardRenderer } from '../../../src/assets/og/card-renderer.ts'
import { createDrawingPool } from '../../../src/assets/og/drawing-pool.ts'
import { bodyText, piecesBody } from '../../../src/lib/body.ts'
import { drawScene } from '../../../src/raster/paint-scene.ts'
import { factsText } from '../../../src/text/brand-fonts/brand-font.ts'
import { readFont } from '../../../src/text/brand-fonts/read-font.ts'
import { createTextEngine } from '../../../src/text/text-engine.ts'
import { heavyTexts } from '../../support/any-texts.ts'
import { fontFile } from '../../text/brand-fonts/fonts.ts'

const pool = createDrawingPool({ threads: 1 })
const cards = createCardRenderer(createTextEngine())
const font = await readFont(await fontFile('mono'))
const latin: Card = { params: { title: 'How we cut cold starts', author: 'Ada', url: 'example.com' } }

afterAll(() => pool.close())

test('a thread draws the bytes that this one would, in Latin and in the scripts that need most', async () => {
  const title = [...(heavyTexts(1)[0]?.text ?? '')].slice(0, 200).join('')
  for (const card of [latin, { params: { title, overflow: 'ellipsis' } } as const]) {
    expect(bodyText(await pool.cardSvg(card))).toBe(bodyText(piecesBody(await cards.svgPieces(card))))
    const { scene } = await cards.composed(card)
    for (const encoding of [{ format: 'png' }, { format: 'jpeg', quality: 80 }] as const) {
      const picture = await pool.cardPicture(card, { widthPx: 600, encoding })
      expect(picture).toEqual(await drawScene(scene, 600, encoding, String))
    }
  }
})

test('a layout says where the parts of a card are', async () => {
  const { scene, texts } = await pool.cardLayout(latin)
  const here = await cards.composed(latin)
  expect(scene).toEqual(here.scene)
  expect(texts.map(({ role }) => role)).toEqual(here.texts.map(({ role }) => role))
})

test('a font of a brand is read once by a thread, and one that cannot be read fails its card alone', async () => {
  const { key, bytes } = font
  const facts = factsText(bytes)
  let reads = 0
  function branded(read: () => Promise<Uint8Array>): Card {
    const titleFont = { key, facts, read }
    return { ...latin, brand: { key: 'acme@1', titleFont } }
  }
  const away = new Error('The database is away.')
  await expect(pool.cardSvg(branded(() => Promise.reject(away)))).rejects.toBe(away)
  async function read() {
    reads++
    return bytes
  }
  const svg = await pool.cardSvg(branded(read))
  expect(await pool.cardSvg(branded(read))).toEqual(svg)
  expect(reads).toBe(1)
  expect(svg).not.toEqual(await pool.cardSvg(latin))
  const own: Card = { ...latin, brand: { key: 'acme@1', titleFont: font } }
  expect(svg).toEqual(piecesBody(await cards.svgPieces(own)))
})
