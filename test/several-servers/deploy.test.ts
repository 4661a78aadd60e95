import { describe, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { throughPort } from '../store/postgres/databases.ts'
import { temporaryDirectory } from '../store/temporary-directory.ts'
import { hasPgbouncer, startPgbouncer } from '../support/pgbouncer.ts'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { isQuick, sampleOf, sampleSize } from '../support/test-size.ts'
import { startServers } from './support/servers.ts'
import { callSignedUntilDecided, issueKey } from './support/signed-calls.ts'

const root = join(import.meta.dir, '../..')
const deploy = join(root, 'deploy')
const settings = readFileSync(join(root, 'docs/settings.md'), 'utf8')

interface ComposeService {
  readonly build?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly entrypoint?: readonly string[]
}

interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>
}

const compose = Bun.YAML.parse(readFileSync(join(deploy, 'compose.yaml'), 'utf8')) as ComposeFile
const oneServer = Bun.YAML.parse(readFileSync(join(root, 'compose.yaml'), 'utf8')) as ComposeFile
const hasCaddy = spawnSync('caddy', ['version']).status === 0
if (!hasCaddy) console.log('left out, as there is no Caddy: the Caddyfile')
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

test.skipIf(!hasSystemd)('systemd takes the unit of several servers, without a warning', () => {
  const folder = temporaryDirectory()
  const program = join(folder, 'usr/local/bin/bun')
  mkdirSync(join(folder, 'usr/local/bin'), { recursive: true })
  writeFileSync(program, '', { mode: 0o755 })
  const unit = readFileSync(join(deploy, 'mintmark@.service'), 'utf8')
  writeFileSync(join(folder, 'mintmark@3001.service'), unit.replace('/usr/local/bin/bun', program))
  const words = ['verify', '--man=no', join(folder, 'mintmark@3001.service')]
  const { status, stdout, stderr } = spawnSync('systemd-analyze', words, { encoding: 'utf8' })
  const ours = `${stdout}${stderr}`.split('\n').filter((line) => line.includes(folder))
  expect([status, ours]).toEqual([0, []])
})

test('both servers of the compose file have the same settings', () => {
  const { 'mintmark-a': first, 'mintmark-b': second } = compose.services
  expect(first?.environment).toEqual(second?.environment)
  expect(first?.environment?.['DATABASE_URL']).toMatch(/@db-a:5432,db-b:5432\//)
})

test('every compose file builds the Dockerfile and sets what is a setting', () => {
  const files = [
    [root, oneServer],
    [deploy, compose],
  ] as const
  for (const [folder, { services }] of files) {
    const ours = Object.values(services).filter(({ build }) => build !== undefined)
    expect(ours.length).toBeGreaterThan(0)
    for (const { build = '', environment = {} } of ours) {
      expect(readdirSync(join(folder, build))).toContain('Dockerfile')
      for (const name of Object.keys(environment)) expect(settings).toContain(`| \`${name}\` |`)
    }
  }
  expect(oneServer.services['mintmark']?.volumes).toEqual(['data:/data'])
})

test.skipIf(isQuick || !hasCaddy)('Caddy takes the Caddyfile, and names DOMAIN where that is missing', () => {
  function adapt(env: Readonly<Record<string, string>>) {
    const words = ['adapt', '--adapter', 'caddyfile', '--config', join(deploy, 'Caddyfile')]
    return spawnSync('caddy', words, { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '', ...env } })
  }
  const both = adapt({ DOMAIN: 'mintmark.example', SERVERS: '10.0.0.1:3000 10.0.0.2:3000' })
  expect(both.stdout).toContain('"upstreams":[{"dial":"10.0.0.1:3000"},{"dial":"10.0.0.2:3000"}]')
  expect(adapt({ DOMAIN: 'mintmark.example' }).stdout).toContain('"upstreams":[{"dial":"127.0.0.1:3000"}]')
  const refused = adapt({})
  const expected = [1, expect.stringContaining('DOMAIN is missing: set it to the public host name')]
  expect([refused.status, refused.stderr]).toEqual(expected)
})

test('the compose file mounts files that are there', () => {
  const mounted = Object.values(compose.services)
    .flatMap(({ volumes = [] }) => volumes)
    .flatMap((volume) => /^\.\/([^:]+):/.exec(volume)?.[1] ?? [])
  expect(mounted.length).toBeGreaterThan(0)
  for (const name of mounted) expect(readdirSync(deploy)).toContain(name)
})

test('the scripts of PostgreSQL are valid shell, and so are the steps of the guide', () => {
  const scripts = readdirSync(deploy).filter((name) => name.endsWith('.sh'))
  const guide = readFileSync(join(root, 'docs/postgresql.md'), 'utf8')
  const steps = Array.from(guide.matchAll(/```sh\n([^`]*)```/g), ([, text = '']) => text)
  expect(steps.length).toBeGreaterThan(3)
  for (const text of [...scripts.map((name) => readFileSync(join(deploy, name), 'utf8')), ...steps]) {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: text, encoding: 'utf8' })
    expect([text, status, stderr]).toEqual([text, 0, ''])
  }
})

const serversMax = sampleSize(4, 2)
/** Calls that a key has left. Four times as many are sent at once. */
const left = 50

describe.skipIf(!hasPostgres)('servers that share PostgreSQL', () => {
  const postgres = started(startPostgres)

  describe('over connections of their own', () => {
    const database = 'quota'
    testExactness(database, () =>
      Promise.resolve({ url: postgres.makeDatabase(database), close: async () => {} }),
    )
  })

  describe.skipIf(isQuick || !hasPgbouncer)('through PgBouncer in transaction mode', () => {
    const database = 'quota_pooled'
    testExactness(database, async () => {
      const pgbouncer = await startPgbouncer(postgres.port)
      return { url: throughPort(postgres.makeDatabase(database), pgbouncer.port), close: pgbouncer.close }
    })
  })

  function testExactness(
    database: string,
    open: () => Promise<{ readonly url: string; readonly close: () => Promise<void> }>,
  ): void {
    const way = started(open)
    const servers = started(() =>
      startServers({
        databaseUrls: Array.from({ length: serversMax }, () => way.url),
        env: { KEY_DAILY_QUOTA: String(left) },
      }),
    )

    test.each(sampleOf([2, 3, 4], 3))(
      '%d of them answer just the calls that a key has left',
      async (count) => {
        const key = await issueKey(servers.url(0))
        const statuses = await Promise.all(
          Array.from({ length: 4 * left }, (_, index) =>
            callSignedUntilDecided(servers.url(index % count), key),
          ),
        )
        expect(statuses.filter((status) => status === 200)).toHaveLength(left)
        expect(statuses.filter((status) => status === 402)).toHaveLength(3 * left)
        expect(postgres.run(`select used from usage_days where bucket = 'key:${key.key}'`, database)).toBe(
          `${left}`,
        )
        const usage = await (await fetch(`${servers.url(count - 1)}/api/usage?key=${key.key}`)).json()
        expect(usage).toMatchObject({ used: left, remaining: 0 })
      },
    )
  }
})
