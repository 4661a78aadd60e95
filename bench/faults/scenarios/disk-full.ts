import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls, isIntact } from '../support/accounts.ts'
import { ask, inParallel } from '../support/ask.ts'
import { becomesTrue } from '../support/becomes-true.ts'
import { mountSmallDisk } from '../support/full-disk.ts'
import { logIn } from '../support/operator.ts'
import type { FaultServer } from '../support/server.ts'

/** Nothing can be counted on a full disk, so nothing is served that counts; once there is room, all goes on. */
export const diskFull: Scenario = {
  name: 'disk-full',
  title: 'the disk of the database is full',
  tried: 'filled to the last byte under calls, key issuing and log-ins, then freed',
  async run(context) {
    const disk = mountSmallDisk(context, 16)
    const server = await context.startServer({ dataDir: disk.directory, env: { LOG_LEVEL: 'error' } })
    const demo = new DemoCalls()
    for (let round = 0; round < context.times(3, 1); round++) {
      await callSome(context, server, demo)
      disk.fill()
      context.count('times filled')
      await callSome(context, server, demo)
      const isUnready = await becomesTrue(async () => (await readiness(context, server)) === 503, 10_000)
      context.expect(isUnready, '/readyz says ready while nothing can be written')
      const key = await ask(context, `${server.url}/api/key`)
      context.expect(key?.status === 503, `/api/key answered ${key?.status} and not 503`)
      const login = await logIn(context, server)
      context.expect(login?.status === 503, `/admin/login answered ${login?.status} and not 503`)
      disk.free()
      const isReady = await becomesTrue(async () => (await readiness(context, server)) === 200, 15_000)
      context.expect(isReady, '/readyz does not say ready again once there is room')
      const after = await demo.call(() => ask(context, `${server.url}/api/og?title=room&demo=1`))
      context.expect(after === 200, `a call is answered ${after} once there is room`)
    }
    context.count('calls answered', demo.granted)
    await Bun.sleep(500)
    demo.check(context, server)
    context.expect(isIntact(server.databasePath), 'the database file is damaged')
  },
}

async function callSome(context: FaultContext, { url }: FaultServer, demo: DemoCalls): Promise<void> {
  const total = context.times(200, 40)
  context.count('calls', total)
  await inParallel(total, 8, async (index) => {
    await demo.call(() => ask(context, `${url}/api/og?title=disk+${index % 7}&demo=1`))
  })
}

async function readiness(context: FaultContext, { url }: FaultServer): Promise<number | undefined> {
  return (await ask(context, `${url}/readyz`))?.status
}
