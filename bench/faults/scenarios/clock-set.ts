import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FaultContext, NotPossibleHere } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls, readAccounts } from '../support/accounts.ts'
import { type Answer, ask, inParallel } from '../support/ask.ts'
import { logIn } from '../support/operator.ts'
import type { FaultServer } from '../support/server.ts'

/** Debian's package `libfaketime`: the program asks for the time and is told another one. */
const library = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1',
].find((path) => existsSync(path))

const quota = 40
const steps = ['-1h', '-3d', '+0', '+1d', '-2d', '+0'] as const

/** The machine's clock jumps: nobody waits for days, nobody gets a day's quota twice, and nothing fails. */
export const clockSet: Scenario = {
  name: 'clock-set',
  title: 'the clock is set',
  tried: 'set back and forth by hours and days under calls and wrong passwords (libfaketime)',
  async run(context) {
    if (library === undefined) throw new NotPossibleHere('Debian’s package libfaketime is missing')
    const clockFile = join(context.directory(), 'clock')
    writeFileSync(clockFile, '+0')
    const env = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DEMO_DAILY_QUOTA: String(quota),
      KEYS_PER_IP_PER_DAY: '3',
    }
    const server = await context.startServer({ env })
    const demo = new DemoCalls()
    for (let guess = 0; guess < 7; guess++) await logIn(context, server, { password: `wrong ${guess}` })
    for (const step of steps) {
      writeFileSync(clockFile, step)
      context.count('times set')
      await useAll(context, server, demo)
    }
    demo.check(context, server)
    const most = readAccounts(server.databasePath, (database) =>
      database
        .query<{ used: number }, []>("select max(used) used from usage_days where bucket = 'demo'")
        .get(),
    )
    context.expect((most?.used ?? 0) <= quota, 'a day’s quota was given twice')
  },
}

const dayAndABitSeconds = 25 * 3600

async function useAll(context: FaultContext, server: FaultServer, demo: DemoCalls): Promise<void> {
  await inParallel(2 * quota, 8, async (index) => {
    context.count('calls')
    await demo.call(() => ask(context, `${server.url}/api/og?title=clock+${index}&demo=1`))
  })
  checkWait(
    context,
    'a day’s quota',
    await ask(context, `${server.url}/api/og?title=x&demo=1`),
    dayAndABitSeconds,
  )
  for (let index = 0; index < 4; index++)
    checkWait(context, 'a key', await ask(context, `${server.url}/api/key`), dayAndABitSeconds)
  checkWait(context, 'a log-in', await logIn(context, server, { password: 'wrong' }), 15 * 60)
}

function checkWait(
  context: FaultContext,
  what: string,
  answer: Answer | undefined,
  secondsMax: number,
): void {
  const seconds = Number(answer?.headers.get('retry-after') ?? 0)
  context.expect(seconds <= secondsMax, `who wants ${what} is told to wait longer than it can take`)
}
