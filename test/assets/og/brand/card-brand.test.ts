import { expect, test } from 'bun:test'
import type { CardBrand } from '../../../../src/assets/og/brand/card-brand.ts'
import { type CardParams, createCardRenderer } from '../../../../src/assets/og/card-renderer.ts'
import { createTextEngine } from '../../../../src/text/text-engine.ts'

const cards = createCardRenderer(createTextEngine())
const brand: CardBrand = { key: 'acme@1', theme: 'grid', scheme: 'dark', accent: 'ff5500' }

test('a card takes theme, scheme and accent of its brand where its parameters leave them out', async () => {
  const title = 'Hello'
  expect(await svg({ title }, brand)).toBe(
    await svg({ title, theme: 'grid', scheme: 'dark', accent: 'ff5500' }),
  )
})

test('parameters win over the brand, one by one', async () => {
  const title = 'Hello'
  const own = { theme: 'paper', scheme: 'light', accent: '0055ff' } as const
  expect(await svg({ title, ...own }, brand)).toBe(await svg({ title, ...own }))
  expect(await svg({ title, theme: 'aurora' }, brand)).toBe(
    await svg({ title, theme: 'aurora', scheme: 'dark', accent: 'ff5500' }),
  )
})

async function svg(params: CardParams, of?: CardBrand): Promise<string> {
  return (await cards.svgPieces({ params, brand: of })).join('')
}
