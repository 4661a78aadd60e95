import { expect, test } from 'bun:test'
import { hash } from 'node:crypto'
import { uploadedLogo } from '../../../../src/assets/og/brand/logo-rules.ts'
import { readLogo } from '../../../../src/assets/og/brand/read-logo.ts'
import { exampleLogos, logoSvg } from './support/example-logos.ts'

/** The first digits of the key of what a logo became. After a change of how logos are drawn: look at them, then write these anew. */
const keys: Readonly<Record<string, string>> = {
  'round corners': '5f58c2b89b7d',
  'star that crosses itself': 'bb4f211f46aa',
  arcs: '575464a68bff',
  'even-odd in three depths': '726b060b457e',
  'nested transforms': 'd15f4a82037f',
  'use twice': '9ed29d31aff0',
  symbol: '8d9c533bf2ab',
  'rules by name, class and id': '800da3fc11f9',
  'colour with alpha': '4af705a7a676',
  'corner, round': '49fbf36cf9cb',
  'stroked S curve': '076e82af1319',
  'icon with strokes': '5f280546c43e',
  'stroke under a transform': '696851a77714',
  'fill and stroke': 'a88c41eec5e1',
}

const deps = { pictures: { convert: () => Promise.reject(new Error('needs no pixels')) }, client: 'test' }

test.each(Object.entries(keys))('a stored logo is what it was: %s', async (name, key) => {
  const logo = await readLogo(logoSvg(exampleLogos[name] ?? ''), uploadedLogo, deps)
  expect(logo.key.slice(0, 12)).toBe(key)
})

test('shapes are written as they are read: absolute lines and curves with one decimal', async () => {
  const ring = '<circle cx="50" cy="50" r="30" fill="none" stroke="#06c" stroke-width="20"/>'
  const logo = await readLogo(logoSvg(ring), uploadedLogo, deps)
  if (logo.kind !== 'shapes') throw new Error(logo.kind)
  expect([logo.width, logo.height, logo.singleColor]).toEqual([1000, 1000, '#0066cc'])
  expect(logo.shapes.map(({ d }) => d.match(/[MZ]/g)?.join(''))).toEqual(['MZMZ'])
  expect(logo.shapes[0]?.d).toMatch(/^(?:[MLCZ]|-?\d+(?:\.\d)?| )+$/)
  expect(hash('sha256', JSON.stringify([{ width: 1000, height: 1000 }, logo.shapes]))).toBe(logo.key)
})
