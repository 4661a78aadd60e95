import type { Scenario } from '../scenario.ts'
import { DemoCalls } from '../support/accounts.ts'
import { ask, repeat } from '../support/ask.ts'

/** A frozen server may hold a lock of the database. The other one must go on, and nothing may be counted twice. */
export const freezeServer: Scenario = {
  name: 'freeze-server',
  title: 'SIGSTOP and SIGCONT of one of two servers on one file',
  tried: 'one frozen at a random moment under load and woken later; the other’s stall',
  async run(context) {
    const dataDir = context.directory()
    const env = { LOG_LEVEL: 'warn' }
    const frozen = await context.startServer({ dataDir, env, isWatched: false })
    const other = await context.startServer({ dataDir, env })
    const demo = new DemoCalls()
    const load = [frozen, other].map(({ url }) =>
      repeat(8, async () => {
        const status = await demo.call(() => ask(context, `${url}/api/og?title=freeze&demo=1`))
        if (status !== 200) await Bun.sleep(20)
      }),
    )
    for (let round = 0; round < context.times(12, 2); round++) {
      await Bun.sleep(150 + 37 * round)
      frozen.signal('SIGSTOP')
      await Bun.sleep(600)
      frozen.signal('SIGCONT')
      context.count('freezes')
    }
    await Promise.all(load.map((one) => one.stop()))
    context.count('calls answered', demo.granted)
    demo.check(context, other)
  },
}
