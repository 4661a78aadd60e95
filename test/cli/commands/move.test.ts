import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { versionTable } from '../../../src/store/postgres/migrations.ts'
import { fillRandomly } from '../../store/move/random-store.ts'
import { dump, makeSqlite } from '../../store/move/stores.ts'
import { openServer, openSession, throughPort } from '../../store/postgres/databases.ts'
import { temporaryDirectory } from '../../store/temporary-directory.ts'
import { eventually } from '../../support/eventually.ts'
import { hasPgbouncer, startPgbouncer } from '../../support/pgbouncer.ts'
import { hasPostgres, startPostgres, type TestPostgres, testPassword } from '../../support/postgres.ts'
import { type ServerOptions, startServer } from '../../support/server.ts'
import { signEmbed } from '../../support/sign-embed.ts'
import { done, mintmark, refusal, startMintmark } from '../support/mintmark.ts'

/** About the rows of each table. */
const scale = 3_000
const kills = 6
const base = temporaryDirectory()
let made = 0

/** A folder with a database that has random rows in every table. */
function filledStore(rows = scale) {
  made += 1
  const dataDir = join(base, String(made))
  mkdirSync(dataDir)
  const path = join(dataDir, 'mintmark.sqlite')
  const database = makeSqlite(path)
  const seed = Date.now() % 1_000_000
  console.log(`seed ${seed}`)
  fillRandomly(database, seed, rows)
  database.close()
  return { dataDir, path, url: `sqlite:${path}`, env: { DATA_DIR: dataDir }, seed, name: `moved_${made}` }
}

describe.skipIf(!hasPostgres)('move', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.close())

  /** Moves a database back into a new file, and returns everything in it. */
  async function movedBack(url: string, env: Readonly<Record<string, string>> = { DATA_DIR: base }) {
    made += 1
    const path = join(base, `back-${made}.sqlite`)
    await done(['move', '--from', url, '--to', `sqlite:${path}`], { env })
    expect(statSync(path).mode & 0o777).toBe(0o600)
    return dump(path)
  }

  test('takes every row of every table to PostgreSQL and back, and compares counts and digests', async () => {
    const { path, env, name } = filledStore()
    const before = dump(path)
    const url = postgres.makeDatabase(name)
    const there = await mintmark(['move', '--to', url], { env })
    expect([there.exitCode, there.errors]).toEqual([0, ''])
    expect(there.output).toMatch(new RegExp(`keys +${scale} +${scale} +([0-9a-f]{16}) +\\1\n`))
    expect(there.output).toMatch(/payments +(\d+) +\1 +([0-9a-f]{16}) +\2\n/)
    expect(there.output).not.toContain('differs')
    // No table is left out, also none that is added later: then the random store has to fill it.
    expect([...before].filter(([, rows]) => rows.length === 0)).toEqual([])
    expect(dump(path)).toEqual(before)
    expect(await movedBack(url)).toEqual(before)
  })

  test('begins anew after kill -9 at any moment, to the same end, and leaves the source as it is', async () => {
    const { path, env, name } = filledStore()
    const before = dump(path)
    const url = postgres.makeDatabase(name)
    const back = join(base, `${name}-back.sqlite`)
    async function killed(words: readonly string[], afterMs: number) {
      const child = startMintmark(words, { env })
      await Bun.sleep(afterMs)
      child.kill('SIGKILL')
      await child.exited
    }
    /** Moves, unless the last one was killed after its end. */
    async function moved(words: readonly string[], wasMoved: string) {
      const { exitCode, errors } = await mintmark(words, { env })
      if (exitCode === 1) expect(errors).toContain(wasMoved)
      else expect([exitCode, errors]).toEqual([0, ''])
    }
    const beganMs = performance.now()
    await mintmark(['move', '--help'])
    const startMs = performance.now() - beganMs
    /** From the start of the program on, for about as long as a move takes. */
    function momentMs(round: number) {
      return startMs * (0.8 + (2 * round) / kills)
    }
    for (let round = 0; round < kills; round += 1) await killed(['move', '--to', url], momentMs(round))
    expect(dump(path)).toEqual(before)
    await moved(['move', '--to', url], 'has data already')

    const words = ['move', '--from', url, '--to', `sqlite:${back}`]
    for (let round = 0; round < kills; round += 1) await killed(words, momentMs(round))
    await moved(words, 'There is a file at')
    expect(dump(back)).toEqual(before)
    expect(existsSync(`${back}.unfinished`)).toBe(false)
    // Killed when all was done but the name of the file.
    renameSync(back, `${back}.unfinished`)
    expect((await mintmark(words, { env })).exitCode).toBe(0)
    expect(dump(back)).toEqual(before)
    // The rules of the tables hold again: the search of keys, the append-only audit, foreign keys.
    const database = new DatabaseSync(back)
    expect(database.prepare('select count(*) as n from keys_search').get()).toMatchObject({ n: scale })
    expect(() => database.exec('delete from audit_entries')).toThrow('append-only')
    database.close()
    for (const sql of ['delete from audit_entries', `update charges set payment_id = 'none'`])
      expect(() => postgres.run(sql, name)).toThrow(/append-only|foreign key/)
  })

  test('begins anew where the source was noted as moved and the target has nothing, and to no other target', async () => {
    const { path, env, name } = filledStore(300)
    const url = postgres.makeDatabase(name)
    const other = postgres.makeDatabase(`${name}_other`)
    const before = dump(path)
    const database = new DatabaseSync(path)
    // Killed after the source was closed and before the target was stored.
    database.exec(`insert into facts values ('moved_to', '1 postgres://127.0.0.1:${postgres.port}/${name}')`)
    database.close()
    const refused = await mintmark(['move', '--to', other], { env })
    expect([refused.exitCode, refused.output]).toEqual([1, ''])
    expect(refused.errors).toContain(`/${name} on 1970-01-01 00:00 UTC, and is older than that`)
    await done(['move', '--to', url], { env })
    expect(await movedBack(url)).toEqual(before)
  })

  test.each([
    { moment: 'before it makes its tables', statement: 'select pg_advisory_xact_lock%', isLocked: true },
    { moment: 'while rows come', statement: 'insert into% unnest%', isLocked: false },
  ])(
    'ends with 1 when the database goes away $moment, says which, and begins anew when it is back',
    async ({ statement, isLocked }) => {
      const { path, env, name } = filledStore(isLocked ? 300 : 2 * scale)
      const url = postgres.makeDatabase(name)
      // The migrations of the move wait for this lock.
      const other = isLocked ? await openSession(url) : undefined
      await other?.query(`select pg_advisory_lock(hashtext('${versionTable}'))`)
      const child = startMintmark(['move', '--to', url], { env })
      const reached = `select count(*) from pg_stat_activity where datname = '${name}' and query like '${statement}'`
      await eventually(() => postgres.run(reached) !== '0')
      await postgres.crash()
      other?.destroy('the server is gone')
      const [errors, exitCode] = await Promise.all([new Response(child.stderr).text(), child.exited])
      await postgres.start()
      expect([exitCode, errors]).toEqual([
        1,
        expect.stringContaining(`postgres://127.0.0.1:${postgres.port}/${name}`),
      ])
      expect(errors).toContain('begins anew')
      expect((await mintmark(['move', '--to', url], { env })).exitCode).toBe(0)
      expect(await movedBack(url)).toEqual(dump(path))
    },
  )

  test('ends with 1 where the target does not keep what it was given, and changes neither database', async () => {
    const { path, env, name } = filledStore(300)
    await (await startServer({ dataDir: env.DATA_DIR })).stop()
    const before = dump(path)
    const url = postgres.makeDatabase(name)
    await (await openServer(url)).close()
    for (const rule of ['usage_days', 'payments']) {
      postgres.run(`delete from facts; create rule lose as on insert to ${rule} do instead nothing`, name)
      const { exitCode, output, errors } = await mintmark(['move', '--to', url], { env })
      expect(exitCode).toBe(1)
      if (rule === 'usage_days') expect(output).toMatch(/usage_days +\d+ +0 .* differs\n/)
      else expect(errors).toContain('foreign key')
      expect(postgres.run('select count(*) from facts, keys', name)).toBe('0')
      expect(dump(path)).toEqual(before)
      postgres.run(`drop rule lose on ${rule}`, name)
    }
    const server = await startServer({ dataDir: env.DATA_DIR })
    await server.stop()
    expect((await mintmark(['move', '--to', url], { env })).exitCode).toBe(0)
    const back = await movedBack(url, env)
    expect(back.get('payments')).toEqual(before.get('payments') ?? [])
  })

  test.skipIf(!hasPgbouncer)('goes through PgBouncer in transaction mode, there and back', async () => {
    const { path, env, name } = filledStore(300)
    const before = dump(path)
    const pgbouncer = await startPgbouncer(postgres.port)
    const url = throughPort(postgres.makeDatabase(name), pgbouncer.port)
    expect((await mintmark(['move', '--to', url], { env })).exitCode).toBe(0)
    expect(await movedBack(url)).toEqual(before)
    await pgbouncer.close()
  })

  test('numbers go on after the highest that there was', async () => {
    const { path, env, name } = filledStore(300)
    const local = new DatabaseSync(path)
    local.exec(`insert into login_attempts (id, address, at_ms) values (7000, 'x', 1)`)
    local.exec('delete from login_attempts where id = 7000')
    local.exec(`delete from traffic_days where day = 59`)
    local.exec(`insert into traffic_days values (59, 'og', 'key', '2xx', 42)`)
    local.close()
    const url = postgres.makeDatabase(name)
    expect((await mintmark(['move', '--to', url], { env })).exitCode).toBe(0)
    const store = await openServer(url)
    const nowMs = Date.now()
    await store.keys.insert({ id: 'mk_new', name: 'new', createdAtMs: nowMs, dailyQuota: null })
    expect(await store.keys.issued()).toBe(301)
    expect(await store.loginAttempts.add('y', nowMs)).toBe(7001)
    await store.traffic.add(59, { endpoint: 'og', auth: 'key', status: '2xx' }, 5)
    await store.close()
    const back = join(base, `${name}-back.sqlite`)
    expect((await mintmark(['move', '--from', url, '--to', `sqlite:${back}`], { env })).exitCode).toBe(0)
    const returned = new DatabaseSync(back)
    const added = returned
      .prepare('insert into login_attempts (address, at_ms) values (?, ?) returning id')
      .get('z', 1)
    expect(added).toMatchObject({ id: 7002 })
    expect(returned.prepare('select max(rowid) as n from keys').get()).toMatchObject({ n: 301 })
    const traffic = `select count from traffic_days where day = 59 and endpoint = 'og' and auth = 'key'`
    // Counts of several servers are added up to one number.
    expect(returned.prepare(traffic).get()).toMatchObject({ count: 42 + 5 })
    returned.close()
  })

  test('refuses a target that has anything, and says what', async () => {
    const one = filledStore(50)
    const other = filledStore(50)
    const changed = new DatabaseSync(other.path)
    changed.exec(`update facts set value = '1700000000001' where name = 'created_at_ms'`)
    changed.close()
    const url = postgres.makeDatabase(one.name)
    async function told(words: readonly string[], env: Readonly<Record<string, string>> = other.env) {
      const errors = await refusal(['move', ...words], { env })
      expect(errors).not.toContain(testPassword)
      expect(errors).not.toContain(encodeURIComponent(testPassword))
      return errors
    }
    expect((await mintmark(['move', '--to', url], { env: one.env })).exitCode).toBe(0)
    expect(await told(['--to', url])).toContain('has data already')
    const served = postgres.makeDatabase(`${one.name}_served`)
    await (await openServer(served)).keyValues.set('created_at_ms', '5')
    expect(await told(['--to', served])).toContain('has data already (rows: 1 in facts)')
    const foreign = postgres.makeDatabase(`${one.name}_foreign`)
    postgres.run('create table orders (id integer)', `${one.name}_foreign`)
    expect(await told(['--to', foreign])).toContain('tables of another product, such as orders')
    const newer = postgres.makeDatabase(`${one.name}_newer`)
    await (await openServer(newer)).close()
    postgres.run('update mintmark_schema set version = 999', `${one.name}_newer`)
    expect(await told(['--to', newer])).toContain('newer version')
    expect(await told(['--to', url.replace(/:[^:@]*@/, ':wrong@')])).toContain('Look at user and password')
    expect(await told(['--to', 'postgres://nobody'])).toContain('--to must be postgres://')
    expect(await told(['--from', url, '--to', one.url])).toContain('There is a file at')
    writeFileSync(join(base, 'letter'), '')
    expect(await told(['--from', url, '--to', `sqlite:${base}/letter`])).toContain('There is a file at')
    expect(await told(['--to', `sqlite:${base}/x.sqlite`])).toContain('between SQLite and PostgreSQL')
    expect(await told([])).toContain('Where to?')
    const expected = 'There is no database at /nowhere/mintmark.sqlite'
    expect(await told(['--to', url], { DATA_DIR: '/nowhere' })).toContain(expected)
  })

  test('asks for the master key that the data was made with, shows it only when asked, and closes the source', async () => {
    const server = await startServer({ dataDir: mkdirIn(base, 'served') })
    const issued = await fetch(`${server.url}/api/key`)
    expect(issued.status).toBe(200)
    const { dataDir } = server
    const env = { DATA_DIR: dataDir }
    const key = readFileSync(join(dataDir, 'master.key'), 'utf8').trim()
    const url = postgres.makeDatabase('served')
    expect((await mintmark(['move', '--to', url], { env })).errors).toContain('is open in another process')
    await server.stop()

    renameSync(join(dataDir, 'master.key'), join(dataDir, 'elsewhere'))
    const missing = await mintmark(['move', '--to', url], { env: { ...env, MASTER_KEY: 'ab'.repeat(32) } })
    expect([missing.exitCode, missing.output]).toEqual([1, ''])
    expect(missing.errors).toContain('is in none of MASTER_KEY, ')
    renameSync(join(dataDir, 'elsewhere'), join(dataDir, 'master.key'))
    const file = join(base, 'to')
    writeFileSync(file, `${url}\n`)
    const there = await mintmark(['move', '--to-file', file], { env })
    expect([there.exitCode, there.errors]).toEqual([0, ''])
    expect(there.output).toContain(`MASTER_KEY to what is in ${join(dataDir, 'master.key')}`)
    expect(there.output).not.toContain(key)
    await expectNoStart({ dataDir }, `was moved to postgres://127.0.0.1:${postgres.port}/served`)
    const returned = ['move', '--from', url, '--to', `sqlite:${base}/shown.sqlite`, '--show-master-key']
    expect((await mintmark(returned, { env })).output).toContain(`MASTER_KEY=${key}\n`)
  })
})

describe.skipIf(!hasPostgres)('servers on a moved database', () => {
  let postgres: TestPostgres
  beforeAll(async () => {
    postgres = await startPostgres()
  })
  afterAll(() => postgres?.close())

  test('accept the keys from before, and go on counting where it was', async () => {
    const dataDir = mkdirIn(base, 'before')
    const before = await startServer({ dataDir })
    const pair = (await (await fetch(`${before.url}/api/key`)).json()) as { id: string; secret: string }
    const inAYear = Math.floor(Date.now() / 1000) + 31_536_000
    const key = { key: pair.id, secret: pair.secret }
    const embed = (
      await signEmbed(`${before.url}/api/badge`, { label: 'a', value: 'b' }, key, inAYear)
    ).slice(before.url.length)
    async function used(url: string): Promise<unknown> {
      const usage = await (await fetch(`${url}/api/usage?key=${pair.id}`)).json()
      return (usage as { used: unknown }).used
    }
    for (const path of [embed, signed(pair)]) expect((await fetch(before.url + path)).status).toBe(200)
    expect(await used(before.url)).toBe(2)

    const url = postgres.makeDatabase('served')
    const env = { DATA_DIR: dataDir }
    const shared = { DATABASE_URL: url, MASTER_KEY: readFileSync(join(dataDir, 'master.key'), 'utf8').trim() }
    expect((await fetch(before.url + signed(pair))).status).toBe(200)
    await before.stop()
    expect((await mintmark(['move', '--to', url], { env })).exitCode).toBe(0)

    const servers = await Promise.all([startServer({ env: shared }), startServer({ env: shared })])
    for (const server of servers) {
      // Counted today on the other database.
      expect((await fetch(server.url + embed)).status).toBe(200)
      expect((await fetch(server.url + signed(pair))).status).toBe(200)
    }
    for (const server of servers) expect(await used(server.url)).toBe(5)
    // Somebody serves: nothing is moved from under it.
    const back = ['move', '--from', url, '--to', `sqlite:${base}/returned.sqlite`]
    const moveEnv = { ...env, MASTER_KEY: shared.MASTER_KEY }
    const refused = await mintmark(back, { env: moveEnv })
    const expected = [1, expect.stringContaining('Servers are connected to')]
    expect([refused.exitCode, refused.errors]).toEqual(expected)
    for (const server of servers) await server.stop()

    expect((await mintmark(back, { env: moveEnv })).exitCode).toBe(0)
    await expectNoStart({ env: shared }, `was moved to sqlite:${base}/returned.sqlite`)
    const after = await startServer({ env: { ...moveEnv, DATABASE_URL: `sqlite:${base}/returned.sqlite` } })
    expect((await fetch(after.url + signed(pair))).status).toBe(200)
    expect(await used(after.url)).toBe(6)
    await after.stop()
  })
})

async function expectNoStart(options: ServerOptions, message: string): Promise<void> {
  const failure = await startServer(options).then(
    async (server) => {
      await server.stop()
      return 'It started.'
    },
    (error: unknown) => String(error),
  )
  expect(failure).toContain(message)
}

/** A card that is signed for now. */
function signed({ id, secret }: { readonly id: string; readonly secret: string }): string {
  const t = Math.floor(Date.now() / 1000)
  const sig = createHmac('sha256', secret).update(`${t}.GET /api/og`).digest('hex')
  return `/api/og?title=x&key=${id}&t=${t}&sig=${sig}`
}

function mkdirIn(parent: string, name: string): string {
  mkdirSync(join(parent, name))
  return join(parent, name)
}
