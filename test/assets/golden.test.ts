import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assets } from '../../src/catalog.ts'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { createService, type Service } from '../../src/service.ts'
import { decodePng } from '../support/png-decode.ts'
import goldenCases from './golden-cases.json' with { type: 'json' }

/**
 * Calls of each asset by the file that keeps the answer. After a change on purpose raise `revision` in the asset's row;
 * then `UPDATE_GOLDEN=1 bun test test/assets/golden.test.ts` writes what is not there yet.
 */
const goldens = goldenCases as Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, string>>>>>
>

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
