import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { migrations } from '../../src/store/migrations.ts'
import { openStore } from '../../src/store/open.ts'
import { openSqlite } from '../../src/store/sqlite.ts'
import { runtimes, sampleSize, slowTest } from '../support/test-size.ts'
import { run } from './runtimes.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const directory = temporaryDirectory()

describe('opening', () => {
  test('makes the file, its directory and its tables', async () => {
    const store = openStore({ path: join(directory, 'deep/er/new.db'), clock: { now: () => 5 } })
    expect(store.check()).toEqual({ ok: true })
    expect(await store.keyValues.get('created_at_ms')).toBe('5')
    await store.close()
  })

  test('again keeps what was stored, and the day of the first time', async () => {
    const path = join(directory, 'again.db')
    const first = openStore({ path, clock: { now: () => 5 } })
    await first.usage.set(1, 'demo', 7)
    await first.close()
    const second = openStore({ path, clock: { now: () => 6 } })
    expect(await second.usage.used(1, 'demo')).toBe(7)
    expect(await second.keyValues.get('created_at_ms')).toBe('5')
    await second.close()
  })

  test('succeeds in every one of the processes that start together on a new file', async () => {
    const all = runtimes.flatMap((runtime) => [runtime, runtime])
    const files = sampleSize(60, 20)
    // Processes need different times to start, so they agree on the moment at which each file is new.
    const firstAtMs = Date.now() + 2_000
    const answers = await Promise.all(
      all.map((runtime) =>
        run(
          runtime,
          'test/store/children/open-in-step.ts',
          join(directory, 'in-step'),
          String(files),
          String(firstAtMs),
        ),
      ),
    )
    const ready = Array.from({ length: files }, () => ({ ok: true }))
    expect(answers.map((answer) => JSON.parse(answer))).toEqual(all.map(() => ready))
  })

  test('refuses a file that a newer version has written', async () => {
    const path = join(directory, 'newer.db')
    await openStore({ path }).close()
    const sqlite = openSqlite(path)
    sqlite.exec(`pragma user_version = ${migrations.length + 1}`)
    sqlite.close()
    expect(() => openStore({ path })).toThrow('newer version')
  })
})

describe('readiness', () => {
  test('ends when another process has migrated the file further', async () => {
    const path = join(directory, 'ready.db')
    const store = openStore({ path })
    const other = openSqlite(path)
    other.exec(`pragma user_version = ${migrations.length + 1}`)
    other.close()
    expect(store.check()).toMatchObject({ ok: false })
    await store.close()
  })
})

describe('a lock of another process', () => {
  test.each(runtimes)('is told from other errors on %s, and not waited for', async (runtime) => {
    const path = join(directory, `locked-${runtime}.db`)
    expect(JSON.parse(await run(runtime, 'test/store/children/locked.ts', path))).toEqual([
      'locked',
      'locked',
      'locked',
      'done',
      'done',
    ])
  })
})

describe('the executable', () => {
  slowTest('finds its migrations inside itself', async () => {
    const program = join(directory, 'program')
    const source = join(import.meta.dir, 'children/open.ts')
    const build = Bun.spawn([process.execPath, 'build', '--compile', source, '--outfile', program], {
      stdout: 'ignore',
    })
    expect(await build.exited).toBe(0)
    const child = Bun.spawn([program, join(directory, 'compiled.db')], { cwd: directory, stdout: 'pipe' })
    expect(await new Response(child.stdout).json()).toEqual({ ok: true })
  })
})
