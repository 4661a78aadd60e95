import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { og } from '../../../src/assets/og/asset.ts'
import type { CardBrand } from '../../../src/assets/og/brand/card-brand.ts'
import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import { schemes, sizeNames } from '../../../src/assets/og/theme.ts'
import { themeNames } from '../../../src/assets/og/themes.ts'
import { groundPictures } from './background/pictures.ts'
import { cards } from './corpus.ts'

import matrix from './templates/matrix.json' with { type: 'json' }

/** The first digits of the SHA-256 of a card as SVG, by its look. `UPDATE_GOLDEN=1` writes those of a raised revision. */
type Digests = Readonly<Record<string, string>>

const words = [
  { title: 'Field notes', subtitle: 'Eleven days on foot', author: 'Mira Holm', url: 'fieldnotes.org' },
  { title: 'كيف خفضنا زمن بدء التشغيل', subtitle: 'تقرير ميداني', author: 'أحمد', url: 'example.com' },
  { title: '静かな機械が印刷するもの', author: '夏目 漱石', lang: 'ja' },
  {
    title: 'A title of several lines that says where its words are broken',
    url: 'a-long-domain.example.org',
  },
] as const

const mark = 'M32 2L62 32L32 62L2 32ZM32 18L46 32L32 46L18 32Z'

/**
 * 180 cards: every theme, scheme and size, without a brand, with one that has a logo, a footer and a picture, and with
 * nothing but a title over a picture.
 */
async function drawLooks(): Promise<Digests> {
  const pictures = await groundPictures()
  const digests: Record<string, string> = {}
  for (const theme of themeNames)
    for (const scheme of schemes)
      for (const [index, size] of sizeNames.entries()) {
        const params = { theme, scheme, size, ...(words[index % words.length] ?? words[0]) } as const
        const picture = pictures[index % 3]
        const brand: CardBrand = {
          key: 'golden@1',
          accent: '2f8f6b',
          footer: 'Since 1949',
          logo: {
            kind: 'shapes',
            key: 'golden',
            width: 64,
            height: 64,
            shapes: [{ d: mark, fill: '#ff5a36' }],
            singleColor: '#ff5a36',
          },
          ...(picture && { picture }),
        }
        const { title } = params
        for (const [name, wanted, given] of [
          ['', params, undefined],
          [' brand', params, brand],
          [' picture', { theme, scheme, size, title }, { key: 'golden@2', ...(picture && { picture }) }],
        ] as const) {
          digests[`${theme} ${scheme} ${size}${name}`] = hash(
            'sha256',
            (await cards.svgPieces({ params: wanted, brand: given })).join(''),
          ).slice(0, 12)
        }
      }
  return digests
}

/** Three cards of each template: its short form in Latin and Arabic letters, its long one in Japanese. */
async function drawTemplates(): Promise<Digests> {
  const digests: Record<string, string> = {}
  for (const [index, [template, { short, long }]] of Object.entries(matrix.templates).entries())
    for (const [at, [name, words]] of [
      ['latin', { ...short, ...matrix.short.latin }] as const,
      ['arabic', { ...short, ...matrix.short.arabic }] as const,
      ['japanese', { ...long, ...matrix.long.japanese }] as const,
    ].entries()) {
      const theme = themeNames[(index + 2 * at) % themeNames.length]
      const size = sizeNames[(index + at) % sizeNames.length]
      const params = { ...words, template, theme, size, scheme: schemes[at % 2] } as CardParams
      const svg = (await cards.svgPieces({ params })).join('')
      digests[`${template} ${name} ${theme} ${size}`] = hash('sha256', svg).slice(0, 12)
    }
  return digests
}

test.each([
  ['every theme, scheme and size, with a brand too', 'looks', drawLooks],
  ['every template', 'templates', drawTemplates],
] as const)(`cards keep their bytes within revision ${og.revision}: %s`, async (_, name, draw) => {
  const file = new URL(`../../golden/og/r${og.revision}/${name}.json`, import.meta.url)
  const digests = await draw()
  if (process.env['UPDATE_GOLDEN'] === '1' && !existsSync(file)) {
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, `${JSON.stringify(digests, undefined, 2)}\n`)
  }
  const golden: Digests = JSON.parse(readFileSync(file, 'utf8'))
  const changed = Object.keys({ ...golden, ...digests }).filter((look) => golden[look] !== digests[look])
  expect(changed, 'these looks differ: raise the revision, after looking at them').toEqual([])
})
