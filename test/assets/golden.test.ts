import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assets } from '../../src/catalog.ts'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { createService, type Service } from '../../src/service.ts'
import { decodePng } from '../support/png-decode.ts'

/**
 * Calls of each asset by the file that keeps the answer. After a change on purpose raise `revision` in the asset's row;
 * then `UPDATE_GOLDEN=1 bun test test/assets/golden.test.ts` writes what is not there yet.
 */
const goldens: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>> = {
  og: {
    'aurora.svg': {
      theme: 'aurora',
      title: 'Design tokens',
      author: 'Grace Hopper',
      url: 'https://www.hopper.dev/',
    },
    'paper.svg': {
      theme: 'paper',
      title: 'Field notes',
      subtitle: 'Eleven days',
      author: 'Mira Holm',
      accent: '#b5341f',
    },
    'grid.svg': { theme: 'grid', title: 'שלום עולם', url: 'example.com' },
    'poster.svg': { theme: 'poster', title: 'Ship it 🚀', subtitle: 'Version 4' },
    'terminal.svg': { theme: 'terminal', title: '設計', lang: 'ja' },
  },
  badge: {
    'flat.svg': { label: 'build', value: 'passing', status: 'success', logo: 'githubactions' },
    'flat-square.svg': {
      style: 'flat-square',
      label: 'статус',
      value: 'готово',
      color: 'yellow',
      scale: '1.5',
    },
    'plastic.svg': {
      style: 'plastic',
      value: 'بناء ناجح',
      color: '0a76bb',
      labelColor: 'red',
      idSuffix: '-1',
    },
    'for-the-badge.svg': {
      style: 'for-the-badge',
      label: 'Node.js',
      value: '>= 22',
      logo: 'nodedotjs',
      logoSize: 'auto',
    },
    'social.svg': {
      style: 'social',
      label: 'stars',
      value: '12k',
      logo: 'github',
      link: 'https://example.com/?a=1&b=2',
    },
    'soft.svg': { style: 'soft', label: 'coverage', value: '97 %', color: 'blue', logo: 'codecov' },
    'rounded.svg': { style: 'rounded', value: 'إصدار ٤', color: 'purple', logo: 'python' },
    'flat.png': {
      label: 'build',
      value: 'passing',
      status: 'success',
      logo: 'githubactions',
      format: 'png',
      scale: '2',
    },
    'for-the-badge.png': {
      style: 'for-the-badge',
      label: 'Prüfung',
      value: 'läuft',
      status: 'running',
      format: 'png',
    },
    'social.png': { style: 'social', label: 'お気に入り', value: '🚀 7', format: 'png' },
    'endpoint.json': {
      label: 'license',
      value: 'MIT',
      color: 'blue',
      logo: 'github',
      logoColor: 'white',
      style: 'plastic',
      format: 'json',
    },
  },
  avatar: {
    'initials.svg': { name: 'Ada Lovelace' },
    'gradient.svg': { name: 'Ada Lovelace', style: 'gradient', shape: 'rounded' },
    'shapes.svg': { name: 'Ada Lovelace', style: 'shapes' },
    'small.svg': { name: '夏目 漱石', size: '16', shape: 'rounded', background: 'ffd400' },
    'emoji.svg': { name: '🎉 Party', shape: 'square', title: 'Party & more' },
    'text.svg': { name: 'Grace Brewster Hopper', length: '3', text: 'text', bold: 'true', color: '777' },
    'silhouette.svg': { name: '?!', seed: 'nobody' },
    'large.png': { name: 'محمد علي', format: 'png', size: '256', 'font-size': '0.5' },
    'facts.json': { name: 'İlker ışık', lang: 'tr', format: 'json' },
  },
}

const isUpdate = process.env['UPDATE_GOLDEN'] === '1'
const folder = mkdtempSync(join(tmpdir(), 'mintmark-golden-'))
let service: Service

beforeAll(async () => {
  const config = await readStartConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }, () => '')
  service = await createService({ config, readFile: () => '', write: () => {} })
})
afterAll(async () => {
  await service.close()
  rmSync(folder, { recursive: true })
})

async function ask(path: string, query: Readonly<Record<string, string>>): Promise<Uint8Array> {
  const request = new Request(
    `http://localhost:3000${path}?${new URLSearchParams({ ...query, demo: '1' })}`,
    { headers: { host: 'localhost:3000' } },
  )
  const response = await service.fetch(request, () => '127.0.0.1')
  expect(response.status).toBe(200)
  return new Uint8Array(await response.arrayBuffer())
}

/**
 * The content that must stay equal: every byte of text, and every pixel of a PNG, because its compression may differ
 * between machines.
 */
function contentOf(file: string, bytes: Uint8Array): string {
  if (!file.endsWith('.png')) return Buffer.from(bytes).toString()
  const { widthPx, heightPx, rgba } = decodePng(bytes)
  return `${widthPx} ${heightPx} ${Buffer.from(rgba).toString('base64')}`
}

for (const { id, path, kind, revision } of assets.filter(({ id }) => id in goldens)) {
  describe(`${id} keeps its answers within revision ${revision}`, () => {
    for (const [file, query] of Object.entries(goldens[id] ?? {})) {
      test(file, async () => {
        const bytes = await ask(path, kind === undefined ? query : { kind, ...query })
        const golden = new URL(`../golden/${id}/r${revision}/${file}`, import.meta.url)
        if (isUpdate && !existsSync(golden)) {
          mkdirSync(new URL('.', golden), { recursive: true })
          writeFileSync(golden, bytes)
        }
        expect(existsSync(golden)).toBeTrue()
        const isSame = contentOf(file, bytes) === contentOf(file, readFileSync(golden))
        expect(isSame, `${file} differs from ${golden.pathname}: raise the revision`).toBeTrue()
      })
    }
  })
}

test('every asset that is drawn from its parameters alone keeps examples of its answers', () => {
  const drawn = assets.filter(
    ({ isLive, readsPages, mediaTypes }) => !isLive && !readsPages && mediaTypes.includes('image/png'),
  )
  expect(drawn.map(({ id }) => id).sort()).toEqual(Object.keys(goldens).sort())
})
