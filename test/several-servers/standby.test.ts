import { describe, expect, test } from 'bun:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasPostgres, startPostgres } from '../support/postgres.ts'
import { started } from '../support/started.ts'
import { startServers, untilAllAnswer } from './support/servers.ts'
import { callSigned, issueKey } from './support/signed-calls.ts'

const callers = 24
const answeredBefore = 500
const callsAfter = 10

describe.skipIf(!hasPostgres)('a primary with a synchronous standby', () => {
  const primary = started(() => startPostgres(['synchronous_commit=remote_apply']))
  const standby = started(() => {
    primary.makeDatabase('standby')
    return primary.startStandby()
  })
  const servers = started(() => {
    // The standby comes first: it is passed over for as long as it is read-only.
    const hosts = `@127.0.0.1:${standby.port},127.0.0.1:${primary.port}`
    const bothHosts = primary.url('standby').replace(/@[^/]+/, hosts)
    return startServers({ databaseUrls: [bothHosts, bothHosts], env: { KEY_DAILY_QUOTA: '1000000' } })
  })

  test('is killed under load: both servers find the promoted standby, and every answered call is counted there', async () => {
    const key = await issueKey(servers.url(0))
    let answered = 0
    let unavailable = 0
    let isOver = false
    async function caller(index: number): Promise<void> {
      for (let after = 0; after < callsAfter; after += isOver ? 1 : 0) {
        const status = await callSigned(servers.url(index), key)
        expect([200, 503]).toContain(status)
        if (status === 200) answered += 1
        else {
          unavailable += 1
          await sleep(20)
        }
      }
    }
    const calls = Array.from({ length: callers }, (_, index) => caller(index))
    while (answered < answeredBefore) await sleep(5)
    await primary.crash()
    standby.run('select pg_promote()')
    await untilAllAnswer(servers)
    isOver = true
    await Promise.all(calls)
    const counted = await settledCount(`key:${key.key}`, answered)
    console.log(
      `standby promoted under load: ${answered} answered, ${counted} counted, ${unavailable} refused with 503`,
    )
    expect(counted).toBe(answered)
    expect(
      (await fetch(`${servers.url(1)}/api/usage?key=${key.key}`).then((answer) => answer.json())).used,
    ).toBe(answered)
  })

  /** Calls that were counted and not delivered are released soon after the promotion. */
  async function settledCount(bucket: string, answered: number): Promise<number> {
    for (let tries = 0; ; tries += 1) {
      const counted = Number(standby.run(`select used from usage_days where bucket = '${bucket}'`, 'standby'))
      if (counted === answered || tries === 40) return counted
      await sleep(50)
    }
  }
})
