import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkUploadName } from '../../src/brands/check-form.ts'
import { openAdminServer } from '../admin/support/admin-server.ts'
import { problemsIn, sendBrand } from '../admin/support/brand-forms.ts'
import { logIn } from '../admin/support/operator.ts'
import { mintmark } from '../cli/support/mintmark.ts'
import { started } from '../support/started.ts'
import { databaseSettings } from '../support/test-store.ts'
import cases from './uploads.json' with { type: 'json' }

function check(name: string, head: string): string | undefined {
  return checkUploadName({ name, bytes: Uint8Array.from(Buffer.from(head, 'latin1')) })
}

describe('the name of an upload', () => {
  test.each(cases.suits as [string, string][])('%s suits what is in it', (name, head) => {
    expect(check(name, head)).toBeUndefined()
  })

  test.each(cases.wrong as [string, string, string][])('%s does not suit it', (name, head, reason) => {
    expect(check(name, head)).toBe(reason)
  })
})

const reason = 'has text: turn it into outlines'
const gradient =
  '<linearGradient id="g"><stop/><stop offset="1" stop-color="red"/></linearGradient><path fill="url(#g)" d="M0 0h9v9z"/>'

/** Logos whose letters would need a font, alone and beside what needs pixels. */
const logos = [
  '<path d="M0 0h9v9z"/><text y="9">Acme</text>',
  `${gradient}<text y="9">Acme</text>`,
  `${gradient}<g><text><tspan>Ac</tspan>me</text></g>`,
  `<defs><text id="t">Acme</text></defs>${gradient}<use href="#t"/>`,
].map((body) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 20">${body}</svg>`)

let folder: string
const server = started(openAdminServer)
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mintmark-text-logo-'))
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

test.each(logos)('the logo %s is refused by every asset, in every format', async (logo) => {
  const data = encodeURIComponent(`data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`)
  for (const call of cases.calls) {
    const answer = await fetch(`${server.url}/api/${call}&logo=${data}&demo=1`)
    const { errors } = await answer.json()
    expect([call, answer.status, errors]).toEqual([call, 400, [{ parameter: 'logo', message: reason }]])
  }
  const forgiven = await fetch(`${server.url}/badge/a-b-red?logo=${data}&demo=1`)
  expect([forgiven.status, (await forgiven.text()).includes('<image')]).toEqual([200, false])
})

test('a logo with text beside a gradient is refused by the form of a brand, its import and its folder', async () => {
  const [, logo = ''] = logos
  const operator = await logIn(server)
  const file = new File([logo], 'logo.svg')
  const sent = await sendBrand(server, operator, { name: 'Acme', slug: 'acme', logo: file })
  expect([sent.status, problemsIn(await sent.text())]).toEqual([422, { logo: `Logo ${reason}.` }])
  writeFileSync(join(folder, 'brand.json'), JSON.stringify({ name: 'Acme', slug: 'acme', logo: 'logo.svg' }))
  writeFileSync(join(folder, 'logo.svg'), logo)
  const env = { DATA_DIR: server.dataDir, ...(await databaseSettings(server.dataDir)) }
  const imported = await mintmark(['brand', 'import', folder], { env })
  expect(imported.exitCode).toBe(1)
  expect(imported.errors).toContain(reason)
  const rows = join(folder, 'cards.jsonl')
  writeFileSync(rows, '{"title":"A"}')
  const words = ['render', '--from', rows, '--out', join(folder, 'out'), '--brand', folder]
  const drawn = await mintmark(words, { env })
  expect([drawn.exitCode, drawn.errors.includes(reason)]).toEqual([1, true])
})
