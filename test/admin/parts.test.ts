import { afterAll, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Type } from '@sinclair/typebox'
import { decoderOf, keyForms, newKeyForm, rotationForm } from '../../admin/keys/key-fields.ts'
import { keySnippets } from '../../admin/keys/secret-note.tsx'
import { decodeForm, typedPassword } from '../../admin/session/form-fields.ts'
import { settingsCard } from '../../admin/settings/settings.tsx'
import { settingsTable } from '../../src/cli/settings-table.ts'
import { readConfig } from '../../src/config.ts'
import { createKeyList } from '../../src/store/keys.ts'
import { createAuditTable, createSessionTable } from '../../src/store/operator.ts'
import { createPaymentList } from '../../src/store/payment-list.ts'
import { createShareTable } from '../../src/store/shares.ts'
import { createSqliteDatabase } from '../../src/store/sqlite/sqlite-database.ts'
import { migrate, openSqlite, type Sqlite } from '../../src/store/sqlite.ts'
import { createTrafficTable, createUsageTable } from '../../src/store/usage.ts'
import { prepareAll } from '../store/prepare-all.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'
import { createUserProject } from '../support/user-project.ts'
import { openAdminServer } from './support/admin-server.ts'
import { loggedIn } from './support/operator.ts'

function decode(fields: Parameters<typeof decodeForm>[0], sent: string) {
  return decodeForm(fields, new URLSearchParams(sent))
}

const quotaForm = decoderOf(keyForms.get('quota') ?? [])

test('an empty field counts as missing, and spaces around a value do not count', () => {
  expect(decode(quotaForm, 'quota=')).toEqual({ value: {}, mistake: undefined })
  expect(decode(quotaForm, 'quota=+12+')).toEqual({ value: { quota: 12 }, mistake: undefined })
})

test('the first mistake of a form is the one that is told', () => {
  const { mistake } = decode(newKeyForm, `expires=x&quota=x&name=${'n'.repeat(81)}`)
  expect(mistake).toBe('A name has at most 80 characters.')
})

test('a wrong value of a field without a mistake counts as missing', () => {
  expect(decode(rotationForm, 'overlap=2&leaked=yes')).toEqual({
    value: { overlap: '24', leaked: false },
    mistake: undefined,
  })
})

test('only the first of repeated fields counts, except in a list', () => {
  const fields = Type.Object({ url: Type.String(), id: Type.Array(Type.String(), { maxItems: 2 }) })
  expect(decode(fields, 'url=a&url=b&id=1&id=2&id=3').value).toEqual({ url: 'a', id: ['1', '2'] })
})

test('a password keeps its spaces', () => {
  const fields = Type.Object({ password: typedPassword })
  expect(decode(fields, 'password=+a+').value).toEqual({ password: ' a ' })
})

const guide = ['install', 'backups', 'upgrades']
  .map((name) => readFileSync(join(import.meta.dir, `../../docs/${name}.md`), 'utf8'))
  .join('')
const blocks = Array.from(guide.matchAll(/```(\w+)\n([^`]*)```/g), ([, kind, text = '']) => ({ kind, text }))
const shell = blocks.filter(({ kind }) => kind === 'sh').map(({ text }) => text)

const units = new Map(
  ['mintmark.service', 'mintmark-backup.service', 'mintmark-backup.timer'].map((name) => {
    const description = name === 'mintmark.service' ? 'Description=Mintmark\n' : `/etc/systemd/system/${name}`
    return [name, blocks.find(({ kind, text }) => kind === 'ini' && text.includes(description))?.text ?? '']
  }),
)

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0
if (!hasSystemd)
  console.log('left out, as systemd-analyze is missing: whether systemd takes the units of the guide')

test.skipIf(!hasSystemd)('systemd takes the units of the guide as they stand, without a warning', () => {
  const root = temporaryDirectory()
  const folder = join(root, 'etc/systemd/system')
  mkdirSync(folder, { recursive: true })
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
  writeFileSync(join(root, 'usr/local/bin/bun'), '', { mode: 0o755 })
  for (const [name, text] of units)
    writeFileSync(join(folder, name), text.replaceAll('/usr/local/bin/bun', join(root, 'usr/local/bin/bun')))
  const names = [...units.keys()].map((name) => join(folder, name))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...names], {
    encoding: 'utf8',
  })
  // It speaks of the machine's own units too.
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(root))
  expect([status, ours]).toEqual([0, []])
})

test('what the units need is made by a step of the guide: user, folders, program', () => {
  const steps = shell.join('\n')
  for (const text of units.values()) {
    for (const [, user] of text.matchAll(/^User=(.+)$/gm))
      expect(steps).toMatch(new RegExp(`useradd .* ${user}$`, 'm'))
    for (const [, folder] of text.matchAll(/^WorkingDirectory=(.+)$/gm))
      expect(steps).toContain(`git clone <this repository> ${folder}\n`)
    for (const [, folder] of text.matchAll(/ backup (\S+)$/gm))
      expect(steps).toContain(`install -d -m 700 -o mintmark ${folder}\n`)
    for (const [, file] of text.matchAll(/^LoadCredential=[^:]+:(.+)$/gm)) expect(steps).toContain(file ?? '')
  }
  expect(units.get('mintmark.service')).toMatch(/^StateDirectory=mintmark$/m)
})

test('every shell block of the guide is valid shell', () => {
  expect(shell.length).toBeGreaterThan(5)
  for (const block of shell) {
    const { status, stderr } = spawnSync('bash', ['-n'], {
      input: block.replace('<this repository>', 'here'),
      encoding: 'utf8',
    })
    expect([block, status, stderr]).toEqual([block, 0, ''])
  }
})

const server = started(startService)

test('what the operator is shown beside a new secret works when pasted, and all of it signs the same address', async () => {
  const { id, secret } = await (await fetch(`${server.url}/api/key`)).json()
  const snippets = Object.fromEntries(await keySnippets(server.url, id, secret))
  const { folder, run } = createUserProject()
  try {
    const [, address = ''] = /<img src="([^"]+)"/.exec(snippets['HTML'] ?? '') ?? []
    expect((await fetch(address)).headers.get('x-auth-mode')).toBe('key')
    expect(snippets['HTML']?.split('\n').at(-1)).toBe(`<meta property="og:image" content="${address}">`)
    expect(await run(['sh', '-c', snippets['Shell'] ?? ''])).toBe(`${address}\n`)
    expect(await run(['python3', '-c', snippets['Python'] ?? ''])).toBe(`${address}\n`)
    await run(['sh', '-c', snippets['curl'] ?? ''])
    expect(await Bun.file(`${folder}/card.svg`).text()).toStartWith('<svg ')
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the guide has a row for every setting, as the program has it; `bun run docs:settings` writes them', () => {
  const rows = settingsTable()
  expect(rows.length).toBeGreaterThan(50)
  const settings = readFileSync(join(import.meta.dir, '../../docs/settings.md'), 'utf8')
  expect(settings.trimEnd().split('\n').slice(-rows.length)).toEqual([...rows])
})

test('the unit keeps the just-in-time compiler', () => {
  expect(guide).not.toMatch(/^MemoryDenyWriteExecute/m)
})

test('the page of settings shows no secret', () => {
  const secrets = {
    ADMIN_PASSWORD: 'hunter2hunter2',
    METRICS_TOKEN: 'token-token-token',
    X402_SETTLER_KEY: `0x${'a1'.repeat(32)}`,
    MASTER_KEY: 'b2'.repeat(32),
    DATABASE_URL: 'postgres://user:pass@db/x',
  }
  const { html } = settingsCard(readConfig({ ...secrets, PORT: '4321' }, () => ''))
  expect(html).toContain('4321')
  for (const [name, secret] of Object.entries(secrets)) {
    expect(html).toContain(name)
    expect(html).not.toContain(secret)
  }
})

/** Every statement that the operator's pages run, as the tables prepare them. */
function statements(sqlite: Sqlite): readonly string[] {
  const seen: string[] = []
  const recording: Sqlite = {
    ...sqlite,
    prepare(sql) {
      seen.push(sql)
      return sqlite.prepare(sql)
    },
  }
  const database = createSqliteDatabase(recording)
  const creates = [
    createKeyList,
    createPaymentList,
    createAuditTable,
    createUsageTable,
    createTrafficTable,
    createSessionTable,
    createShareTable,
  ]
  for (const create of creates) prepareAll(database, create)
  return seen.filter((sql) => /^\s*(select|with)/.test(sql))
}

/** Tables of which little is read: a few rows a login, a few dozen rows a day, a few hundred rows a key and day. */
const small = /traffic_days|sessions|\bdays\b|share_days|shared_cards/

test('no list reads or sorts a whole table', () => {
  const sqlite = openSqlite(':memory:')
  migrate(sqlite)
  const all = statements(sqlite)
  expect(all.length).toBeGreaterThan(15)
  for (const sql of all) {
    const plan = sqlite
      .prepare<{ detail: string }>(`explain query plan ${sql}`)
      .all()
      .map(({ detail }) => detail)
    const scans = plan.filter((step) => step.startsWith('SCAN') && !isBounded(step, sql))
    const sorts = plan.filter((step) => step === 'USE TEMP B-TREE FOR ORDER BY')
    if (!small.test(sql)) expect({ sql, scans, sorts }).toEqual({ sql, scans: [], sorts: [] })
  }
  sqlite.close()
})

/** A walk along an index that a LIMIT ends, a look-up in the text index, or a part of the statement itself. */
function isBounded(step: string, sql: string): boolean {
  if (/USING (COVERING )?INDEX/.test(step)) return /limit \?/.test(sql)
  return /VIRTUAL TABLE INDEX \d+:|^SCAN (\(|CONSTANT|days\b|found\b|counted\b)/.test(step)
}

const site = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch: () =>
    new Response('<!doctype html><title>&lt;b&gt;A page</title><p>Words.</p>', {
      headers: { 'content-type': 'text/html' },
    }),
})
const testFetchServer = started(() =>
  openAdminServer({ env: { FETCH_ALLOW_CIDRS: '127.0.0.0/8', FETCH_ALLOW_PORTS: `80,${site.port}` } }),
)
const operator = loggedIn(testFetchServer)
afterAll(async () => {
  await site.stop(true)
})

async function fetched(url: string) {
  return await (await operator.post('/admin/test-fetch', { url })).text()
}

test('a test fetch says what a preview would have found, by the same rules', async () => {
  const html = await fetched(`http://127.0.0.1:${site.port}/`)
  expect(html).toContain('&lt;b&gt;A page')
  expect(html).toContain('ms: name')
  expect(await fetched('http://10.0.0.1/')).toContain('blocked_address')
  expect(await fetched('http://127.0.0.1:1/')).toContain('blocked_port')
  expect(await fetched('nonsense')).toContain('invalid_url')
  expect(await operator.page('/admin/audit')).toContain('fetch.test')
})
