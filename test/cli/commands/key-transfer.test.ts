import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdminServer } from '../../admin/support/admin-server.ts'
import { logIn } from '../../admin/support/operator.ts'
import { hangMsMax } from '../../support/hang-limit.ts'
import { databaseSettings, queryTestStore } from '../../support/test-store.ts'
import { mintmark } from '../support/mintmark.ts'

setDefaultTimeout(hangMsMax)

type Installation = Readonly<Record<string, string>> & { readonly DATA_DIR: string }

async function installation(): Promise<Installation> {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-transfer-'))
  return { DATA_DIR: directory, ...(await databaseSettings(directory)) }
}

async function run(env: Installation, ...words: readonly string[]): Promise<string> {
  const { exitCode, output, errors } = await mintmark(['key', ...words], { env })
  expect([words, exitCode, errors]).toEqual([words, 0, ''])
  return output
}

async function create(env: Installation, ...options: readonly string[]) {
  return JSON.parse(await run(env, 'create', ...options, '--json'))
}

function fileOf(env: Installation, name: string, text: string): string {
  const path = join(env.DATA_DIR, name)
  writeFileSync(path, text)
  return path
}

async function lines(env: Installation): Promise<Record<string, string | number | null>[]> {
  const exported = await run(env, 'export')
  return exported
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function auditCount(env: Installation) {
  return queryTestStore<{ action: string; detail: string }>(
    join(env.DATA_DIR, 'mintmark.sqlite'),
    'select action, detail from audit_entries order by id',
  )
}

/** A key that uses every column, and one that uses none. */
async function fill(env: Installation) {
  const full = await create(
    env,
    ...['--name', '=SUM(A1)', '--quota', '7', '--expires', '30', '--hosts', 'example.com,example.org'],
    ...[
      '--assets',
      'og,card',
      '--notes',
      'Two,\n"lines"',
      '--theme',
      'paper',
      '--accent',
      'c00',
      '--picture',
      'page',
    ],
  )
  return [full, await create(env, '--name', 'plain')]
}

describe.each(['csv', 'jsonl'])('keys as %s', (format) => {
  test('have no secret in them, and an import of them where they came from changes nothing', async () => {
    const env = await installation()
    const keys = await fill(env)
    const text = await run(env, 'export', '--format', format)
    for (const { id, secret } of keys) {
      expect(text).toContain(id)
      expect(text).not.toContain(secret)
    }
    const before = await auditCount(env)
    const file = fileOf(env, `keys.${format}`, text)
    expect(await run(env, 'import', file)).toBe('0 created, 0 changed, 2 unchanged\n')
    expect(await auditCount(env)).toEqual(before)
    expect(await run(env, 'export', '--format', format)).toBe(text)
  })

  test('are made in another installation with new secrets, which are printed once, and then are there', async () => {
    const [from, to] = [await installation(), await installation()]
    const keys = await fill(from)
    const file = fileOf(to, `keys.${format}`, await run(from, 'export', '--format', format))
    const made = await run(to, 'import', file)
    for (const { id, secret } of keys) {
      const [, made1] = new RegExp(`^${id}  created  ([0-9a-f]{64})$`, 'm').exec(made) ?? []
      expect(made1).toBeString()
      expect(made1).not.toBe(secret)
    }
    expect(made).toEndWith('2 created, 0 changed, 0 unchanged\n')
    expect(await run(to, 'import', file)).toBe('0 created, 0 changed, 2 unchanged\n')
    const newest = (rows: Awaited<ReturnType<typeof lines>>) =>
      rows
        .map(({ created: _, secret_version: __, ...row }) => row)
        .toSorted((one, other) => String(one['id']).localeCompare(String(other['id'])))
    expect(newest(await lines(to))).toEqual(newest(await lines(from)))
    expect((await lines(to)).map(({ secret_version: version }) => version)).toEqual([2, 2])
  })
})

test('what a file names is changed, what it has no column for stays, and an empty cell takes away', async () => {
  const env = await installation()
  const [full, plain] = await fill(env)
  const csv = `id,name,daily_quota,hosts,theme\r\n${full.id},'=renamed,,,\r\n${plain.id},plain,,,\r\n`
  expect(await run(env, 'import', fileOf(env, 'k.csv', csv), '--dry-run')).toBe(
    `${full.id}  changed\n0 created, 1 changed, 1 unchanged (dry run)\n`,
  )
  expect(JSON.parse(await run(env, 'show', full.id, '--json'))).toMatchObject({ name: '=SUM(A1)', quota: 7 })
  expect(await run(env, 'import', fileOf(env, 'k.csv', csv), '--json')).toBe(
    `${JSON.stringify({ id: full.id, outcome: 'changed' })}\n`,
  )
  expect(JSON.parse(await run(env, 'show', full.id, '--json'))).toMatchObject({
    name: '=renamed',
    quota: null,
    expires_at: full.expires_at,
    hosts: [],
    site: full.site,
    assets: ['og', 'card'],
    notes: 'Two,\n"lines"',
    look: { accent: '#cc0000', picture: 'page' },
  })
  expect((await auditCount(env)).at(-1)).toEqual({
    action: 'key.import',
    detail: 'name, dailyQuota, look, hosts',
  })
})

test('a row that is wrong is named with its line, and nothing is changed or made', async () => {
  const env = await installation()
  const { id } = await create(env, '--name', 'kept')
  const other = 'mk_2345678abcdefghj'
  const csv = [
    'id,name,daily_quota,hosts,assets,expires,brand,site',
    `${id},renamed,,,,,,`,
    'mk_1,short,,,,,,',
    `${other},a,-1,,,,,`,
    `${other},a,,github.io,,,,`,
    `${other},a,,,logo,,,`,
    `${other},a,,,,tomorrow,,`,
    `${other},a,,,,,nobody,`,
    `${id},again,,,,,,`,
  ].join('\n')
  const { exitCode, output, errors } = await mintmark(['key', 'import', fileOf(env, 'k.csv', csv)], { env })
  expect([exitCode, output]).toEqual([1, ''])
  for (const words of [
    'k.csv:3: id is not the id of a key',
    'k.csv:4: The quota is a whole number',
    'k.csv:5: The list of hosts names github.io',
    'k.csv:6: The list of assets names logo',
    'k.csv:7: expires is no time',
    'k.csv:8: The brand must be the slug of a brand, and there is no brand nobody.',
    `k.csv:9: ${id} is in line 2 already`,
  ])
    expect(errors).toContain(words)
  const misspelt = await mintmark(['key', 'import', fileOf(env, 'm.csv', `id,daily_quotas\n${id},5`)], {
    env,
  })
  expect(misspelt.errors).toContain('there is no column daily_quotas; did you mean daily_quota?')
  expect((await lines(env)).map(({ name }) => name)).toEqual(['kept'])
})

test('a revoked key is not made anew, and a site id of another key is refused', async () => {
  const [from, to] = [await installation(), await installation()]
  const { id } = await create(from, '--hosts', 'example.com')
  await run(from, 'revoke', id)
  const file = fileOf(to, 'keys.jsonl', await run(from, 'export'))
  expect(await run(to, 'import', file)).toBe('0 created, 0 changed, 0 unchanged, 1 revoked left out\n')
  const { site } = await create(to, '--hosts', 'example.org')
  const taken = `${JSON.stringify({ id, site, hosts: 'example.com' })}\n`
  const refused = await mintmark(['key', 'import', fileOf(to, 'taken.jsonl', taken)], { env: to })
  expect([refused.exitCode, refused.errors]).toEqual([1, expect.stringContaining(`site ${site} belongs to`)])
})

test('the operator’s CSV of keys is a file that import takes', async () => {
  const server = await openAdminServer()
  try {
    const operator = await logIn(server)
    await operator.createKey({ name: '+1', quota: '5', assets: 'og', notes: 'Note', hosts: 'example.com' })
    const csv = await (await operator.get('/admin/keys.csv')).text()
    const env = { DATA_DIR: server.dataDir, ...(await databaseSettings(server.dataDir)) }
    expect(await run(env, 'import', fileOf(env, 'admin.csv', csv))).toBe(
      '0 created, 0 changed, 1 unchanged\n',
    )
  } finally {
    await server.close()
  }
})
