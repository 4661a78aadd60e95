import { describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { CardParams } from '../../../src/assets/og/card-renderer.ts'
import { cardRevision } from '../../../src/assets/og/card-revision.ts'
import { cards } from './corpus.ts'

/**
 * One small card a theme, each with other fields. After a change on purpose raise `cardRevision`, then
 * `UPDATE_GOLDEN=1 bun test test/assets/og/golden.test.ts` writes what is not there yet.
 */
const goldens: Readonly<Record<string, CardParams>> = {
  aurora: { theme: 'aurora', title: 'Design tokens', author: 'Grace Hopper', url: 'https://www.hopper.dev/' },
  paper: {
    theme: 'paper',
    title: 'Field notes',
    subtitle: 'Eleven days',
    author: 'Mira Holm',
    accent: '#b5341f',
  },
  grid: { theme: 'grid', title: 'שלום עולם', url: 'example.com' },
  poster: { theme: 'poster', title: 'Ship it 🚀', subtitle: 'Version 4' },
  terminal: { theme: 'terminal', title: '設計', lang: 'ja' },
}

const directory = new URL(`../../golden/og/r${cardRevision}/`, import.meta.url)
const isUpdate = process.env['UPDATE_GOLDEN'] === '1'

describe('a card keeps its bytes within a revision', () => {
  for (const [name, params] of Object.entries(goldens)) {
    test(name, async () => {
      await cards.prepare(params)
      const svg = cards.svg(params)
      const file = new URL(`${name}.svg`, directory)
      if (isUpdate && !existsSync(file)) {
        mkdirSync(directory, { recursive: true })
        writeFileSync(file, svg)
      }
      expect(existsSync(file)).toBeTrue()
      expect(svg === readFileSync(file, 'utf8'), `${name} differs from ${file.pathname}`).toBeTrue()
    })
  }
})
