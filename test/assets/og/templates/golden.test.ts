import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { og } from '../../../../src/assets/og/asset.ts'
import type { CardParams } from '../../../../src/assets/og/card-renderer.ts'
import { sizeNames } from '../../../../src/assets/og/card-sizes.ts'
import { schemes } from '../../../../src/assets/og/theme.ts'
import { themeNames } from '../../../../src/assets/og/themes.ts'
import { cards } from '../corpus.ts'
import matrix from './matrix.json' with { type: 'json' }

/** Three cards of each template: its short form in Latin and Arabic letters, its long one in Japanese. */
async function drawTemplates(): Promise<Readonly<Record<string, string>>> {
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

test(`cards of templates keep their bytes within revision ${og.revision}`, async () => {
  const file = new URL(`../../../golden/og/r${og.revision}/templates.json`, import.meta.url)
  const digests = await drawTemplates()
  if (process.env['UPDATE_GOLDEN'] === '1' && !existsSync(file))
    writeFileSync(file, `${JSON.stringify(digests, undefined, 2)}\n`)
  expect(digests).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})
