import { describe, expect, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { embedUrl } from '../../../src/client/embed-url.ts'
import { eventually } from '../../support/eventually.ts'
import { startServer } from '../../support/server.ts'
import { databaseSettings, queryTestStore } from '../../support/test-store.ts'
import { mintmark, refusal as refusalOf } from '../support/mintmark.ts'
import cases from './key.json' with { type: 'json' }

type Env = Readonly<Record<string, string>>
type Installation = Env & { readonly DATA_DIR: string }

async function installation(): Promise<Installation> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-keys-'))
  return { DATA_DIR: directory, ...(await databaseSettings(directory)) }
}

async function key(env: Env, ...words: readonly string[]) {
  const { exitCode, output, errors } = await mintmark(['key', ...words, '--json'], { env })
  expect([words, exitCode, errors]).toEqual([words, 0, ''])
  return JSON.parse(output)
}

function refusal(env: Env, ...words: readonly string[]): Promise<string> {
  return refusalOf(['key', ...words], { env })
}

function fileOf({ DATA_DIR }: Installation): string {
  return join(DATA_DIR, 'mintmark.sqlite')
}

describe('mintmark key', () => {
  test('makes keys that a running server takes at once, and its changes hold there within a second', async () => {
    const env = await installation()
    const server = await startServer({ env, dataDir: env.DATA_DIR })
    const made = await key(env, 'create', '--name', 'docs', '--quota', '5', '--expires', '3')
    expect(made).toMatchObject({ name: 'docs', quota: 5, status: 'active', site: null, hosts: [] })
    const address = (title: string, secret = made.secret) =>
      embedUrl(`${server.url}/api/og`, { title }, { key: made.id, secret })
    async function status(title: string, secret?: string) {
      return (await fetch(await address(title, secret))).status
    }
    expect(await status('First')).toBe(200)

    await key(env, 'limit', made.id, '1')
    expect(await status('Second')).toBe(402)
    await key(env, 'limit', made.id, 'default')
    expect(await status('Second')).toBe(200)
    const rotated = await key(env, 'rotate', made.id, '--overlap', '0')
    expect(rotated.secret).toMatch(/^[0-9a-f]{64}$/)
    expect([await status('Third'), await status('Third', rotated.secret)]).toEqual([402, 200])

    expect(await key(env, 'revoke', made.id)).toMatchObject({ status: 'revoked' })
    // A view that was counted is answered from memory until the server has looked for changes.
    await eventually(async () => (await status('First')) === 402)
    expect(await key(env, 'restore', made.id)).toMatchObject({ status: 'active' })
    expect(await status('Third', rotated.secret)).toBe(200)
    expect(await key(env, 'show', made.id)).toMatchObject({ used_today: 3, limit: 100, remaining: 97 })
    await server.stop()
  })

  test('writes an entry of the audit log for each change, and shows a secret only where it is made', async () => {
    const env = await installation()
    const { id, secret } = await key(env, 'create', '--hosts', 'example.com,example.org', '--theme', 'paper')
    await key(env, 'expire', id, '30')
    await key(env, 'expire', id, 'never')
    await key(env, 'rotate', id, '--leaked', '--since', '2026-11-01')
    for (const action of ['revoke', 'restore']) await key(env, action, id)
    const shown = await Promise.all([
      mintmark(['key', 'show', id], { env }),
      mintmark(['key', 'list'], { env }),
    ])
    for (const { output } of shown) expect(output).not.toMatch(/[0-9a-f]{64}/)
    const entries = await queryTestStore<{ action: string; actor: string; detail: string }>(
      fileOf(env),
      `select action, actor, detail from audit_entries where subject = '${id}' order by id`,
    )
    expect(entries.map(({ action }) => action)).toEqual(
      ['create', 'expires', 'expires', 'rotate', 'revoke', 'restore'].map((action) => `key.${action}`),
    )
    expect(entries[0]).toEqual({
      action: 'key.create',
      actor: 'mintmark key',
      detail: 'default quota, hosts example.com example.org, theme paper',
    })
    expect(JSON.stringify(entries)).not.toContain(secret)
  })

  test('lists every key once, newest first, and the keys of an empty database as none', async () => {
    const env = await installation()
    const made = []
    for (const name of ['one', 'two', 'three']) made.push((await key(env, 'create', '--name', name)).id)
    const listed = await key(env, 'list')
    expect(listed.map(({ id }: { id: string }) => id).sort()).toEqual(made.toSorted())
    const { lines } = await mintmark(['key', 'list'], { env })
    expect(lines.toSorted()).toEqual(
      listed.map(({ id, name }: Env) => `${id}  active   default quota  ${name}`).toSorted(),
    )
  })

  test('gives a key with hosts a site id, and keeps the look by the rules of cards', async () => {
    const env = await installation()
    const look = ['--scheme', 'dark', '--accent', 'red', '--picture', 'page']
    const made = await key(env, 'create', '--hosts', 'www.example.com', ...look)
    expect(made.site).toMatch(/^ms_[2-9a-hjkmnp-z]{16}$/)
    expect(made).toMatchObject({
      hosts: ['www.example.com'],
      look: { scheme: 'dark', accent: '#ff0000', picture: 'page' },
    })
  })

  test('changes hosts and look later, and leaves what is not named as it is', async () => {
    const env = await installation()
    const { id, site } = await key(env, 'create', '--hosts', 'example.com', '--theme', 'paper')
    const more = await key(env, 'site', id, '--hosts', 'example.com,example.org', '--scheme', 'dark')
    const look = { theme: 'paper', scheme: 'dark' }
    expect(more).toMatchObject({ site, hosts: ['example.com', 'example.org'], look })
    const less = await key(env, 'site', id, '--theme', 'none')
    const expected = [['example.com', 'example.org'], { scheme: 'dark', template: 'auto' }]
    expect([less.hosts, less.look]).toEqual(expected)
    expect(await key(env, 'site', id, '--hosts', 'none')).toMatchObject({
      hosts: [],
      look: { scheme: 'dark' },
    })
    expect(await refusal(env, 'site', id)).toContain('There is nothing to change')
    expect(await refusal(env, 'site', id, '--hosts', 'github.io')).toContain('which is a public suffix')
    expect(await refusal(env, 'site', 'mk_2345678abcdefghj', '--theme', 'paper')).toContain('no such key')
  })

  test('limits a key to some assets, and keeps notes that no caller sees', async () => {
    const env = await installation()
    const made = await key(env, 'create', '--assets', 'badge,og', '--notes', 'Invoice 4711')
    expect(made).toMatchObject({ assets: ['og', 'badge'], notes: 'Invoice 4711' })
    expect(await key(env, 'assets', made.id, 'card')).toMatchObject({ assets: ['card'] })
    expect(await key(env, 'assets', made.id, 'all')).toMatchObject({ assets: null })
    expect(await key(env, 'notes', made.id, '')).toMatchObject({ notes: '' })
    expect(await refusal(env, 'assets', made.id, 'og,logo')).toContain(
      'The list of assets names logo, and an asset is one of og, card, sitemap, avatar, badge, preview.',
    )
    expect(await refusal(env, 'assets', made.id, 'stats')).toContain('names stats')
    const expected = 'Notes have at most 500 characters.'
    expect(await refusal(env, 'notes', made.id, 'x'.repeat(501))).toContain(expected)
    expect(await key(env, 'show', made.id)).toMatchObject({ assets: null, notes: '' })
  })

  test('refuses what the operator’s form refuses, and makes nothing', async () => {
    const env = await installation()
    await key(env, 'create')
    const refused: readonly [words: string[], message: string][] = [
      ...(cases.refused as [words: string[], message: string][]),
      [['create', '--name', 'n'.repeat(81)], 'A name has at most 80 characters.'],
    ]
    for (const [words, message] of refused) expect(await refusal(env, ...words)).toContain(message)
    expect(await key(env, 'list')).toHaveLength(1)
  })

  test('makes no database where it is only asked about keys', async () => {
    const env = { DATA_DIR: join(mkdtempSync(join(tmpdir(), 'mintmark-keys-')), 'data') }
    for (const words of [['list'], ['show', 'mk_2345678abcdefghj'], ['revoke', 'mk_2345678abcdefghj']])
      expect(await refusal(env, ...words)).toStartWith('There is no database')
  })

  test('explains itself on a screen of 24 lines', async () => {
    const names = 'create list show site limit expire rotate assets notes export import'.split(' ')
    for (const words of [[], ...names.map((name) => [name])]) {
      const { exitCode, output } = await mintmark(['key', ...words, '--help'])
      expect([exitCode, output.trimEnd().split('\n').length <= 24]).toEqual([0, true])
    }
  })
})
