import { describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { retryWhileLocked, isPassing } from '../../../src/store/store-error.ts'
import { hasPostgres, startPostgres } from '../../support/postgres.ts'
import { started } from '../../support/started.ts'
import { type CutMoment, startTcpProxy } from '../../support/tcp-proxy.ts'
import { openServer, throughPort } from './databases.ts'

const moments: readonly CutMoment[] = ['before', 'after', 'underway']
/** Some 25 ms each, and 300 where a connection is cut; several times that where others want the processor. */
const increments = 30
/** The last one waits for all others. */
const patienceMs = 100_000

describe.skipIf(!hasPostgres)('a commit whose answer is lost with its connection', () => {
  const postgres = started(startPostgres)
  const proxy = started(() => startTcpProxy(postgres.port))
  const store = started(() => openServer(throughPort(postgres.makeDatabase('fates'), proxy.port)))

  function stored(name: string): string {
    return postgres.run(`select value from facts where name = '${name}'`, 'fates')
  }

  test.each(moments)('cut %s it reached the server: what it says is what is stored', async (when) => {
    const name = `fate-${when}`
    const isCut = proxy.cutAt('commit\0', when)
    const outcome = await store
      .transaction(() => store.keyValues.set(name, 'here'))
      .then(() => 'stored', isPassing)
    await isCut
    // Commits that were underway have arrived after this time.
    await sleep(500)
    expect([outcome, stored(name)]).toEqual(stored(name) === 'here' ? ['stored', 'here'] : [true, ''])
  })

  test.each(moments)('cut %s it reached the server: a write by itself happens once', async (when) => {
    const name = `once-${when}`
    await store.keyValues.set(name, 'secret')
    const isCut = proxy.cutAt('commit\0', when)
    const takers = Array.from({ length: 4 }, () =>
      retryWhileLocked(() => store.keyValues.removeIf(name, 'secret')),
    )
    expect((await Promise.all(takers)).filter((taken) => taken)).toHaveLength(1)
    await isCut
    expect(stored(name)).toBe('')
  })

  test('transactions that are tried again until they are stored are each stored once', async () => {
    await store.keyValues.set('counter', '0')
    const isOver = Promise.withResolvers<void>()
    let isDone = false
    async function cutAgainAndAgain() {
      for (let round = 0; !isDone; round += 1) {
        await Promise.race([proxy.cutAt('commit\0', moments[round % 3] ?? 'after'), isOver.promise])
        await sleep(60)
      }
    }
    const cutting = cutAgainAndAgain()
    const counted = Array.from({ length: increments }, async (_, index) => {
      await sleep(index * 20)
      await retryWhileLocked(
        () =>
          store.transaction(
            function* () {
              const before = Number(yield* store.keyValues.get('counter'))
              yield* store.keyValues.set('counter', String(before + 1))
            },
            { locks: ['counter'] },
          ),
        patienceMs,
      )
    })
    await Promise.all(counted).finally(() => {
      isDone = true
      isOver.resolve()
    })
    await cutting
    proxy.disarm()
    expect(stored('counter')).toBe(String(increments))
  })

  test('one that is read is read again', async () => {
    await store.keyValues.set('read', 'me')
    for (const when of moments) {
      const isCut = proxy.cutAt('from "facts"', when)
      expect(await store.keyValues.get('read')).toBe('me')
      await isCut
    }
  })
})
