import { Database } from 'bun:sqlite'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls, usedOf } from '../support/accounts.ts'
import { ask, inParallel } from '../support/ask.ts'
import { becomesTrue } from '../support/becomes-true.ts'
import { logIn } from '../support/operator.ts'
import type { FaultServer } from '../support/server.ts'
import { startSite } from '../support/site.ts'

/** Another program holds the database's write lock: callers are told so, and nobody else waits for it. */
export const lockHeld: Scenario = {
  name: 'lock-held',
  title: 'a foreign program holds the database lock',
  tried: 'the lock held for seconds under calls, key issuing, log-ins and previews that fail meanwhile',
  bounds: { stallMsMax: 150 },
  async run(context) {
    const site = await startSite(context, ({ path, socket }) => {
      const answer = 'HTTP/1.1 500 Sorry\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'
      if (path.startsWith('/robots.txt')) socket.end(answer)
      else setTimeout(() => socket.end(answer), 1000)
    })
    const server = await context.startServer({ env: { LOG_LEVEL: 'warn', ...site.env } })
    const demo = new DemoCalls()
    for (let round = 0; round < context.times(2, 1); round++) {
      await callWhileLocked(context, server, demo, (index) => site.url(`/fails-${round}-${index}`))
      context.count('locks')
    }
    const after = await demo.call(() => ask(context, `${server.url}/api/og?title=after&demo=1`))
    context.expect(after === 200, `a call is answered ${after} once the lock is gone`)
    // Calls that could not be released under the lock are released after it.
    await becomesTrue(async () => isEven(demo, server), 10_000)
    const saysWhy = demo.busy === 0 || /lock|SQLITE_BUSY/i.test(server.log())
    context.expect(saysWhy, 'the log does not say why calls were told to come back')
    context.count('calls told to come back', demo.busy)
    context.count('calls answered', demo.granted)
    demo.check(context, server)
  },
}

async function callWhileLocked(
  context: FaultContext,
  server: FaultServer,
  demo: DemoCalls,
  page: (index: number) => string,
): Promise<void> {
  const failing = Array.from({ length: 8 }, (_, index) => {
    const url = `${server.url}/api/transform?kind=preview&url=${encodeURIComponent(page(index))}&demo=1`
    return demo.call(() => ask(context, url, { expected: [502, 503, 504] }))
  })
  await Bun.sleep(400)
  const holder = new Database(server.databasePath)
  holder.run('pragma busy_timeout = 5000')
  holder.run('begin immediate')
  const calls = inParallel(context.times(100, 20), 8, async (index) => {
    context.count('calls')
    await demo.call(() =>
      ask(context, `${server.url}/api/og?title=lock+${index}&demo=1`, { expected: [200, 503] }),
    )
  })
  const others = [ask(context, `${server.url}/api/key`), logIn(context, server)]
  await Bun.sleep(context.times(7000, 2500))
  holder.run('rollback')
  holder.close()
  await Promise.all([calls, ...others, ...failing])
  context.count('failing previews', failing.length)
}

function isEven(demo: DemoCalls, { databasePath }: FaultServer): boolean {
  return usedOf(databasePath, 'demo') === demo.granted
}
