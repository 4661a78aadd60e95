import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls, isIntact } from '../support/accounts.ts'
import { ask, repeat } from '../support/ask.ts'
import type { FaultServer } from '../support/server.ts'

/** `kill -9`, of one server or of two on one file, while calls are counted and keys are issued. */
export const killServer: Scenario = {
  name: 'kill-server',
  title: 'kill -9 of the server',
  tried: 'killed under load, started again on the same directory',
  run: (context) => killUnderLoad(context, 1),
}

export const killTwoServers: Scenario = {
  name: 'kill-two-servers',
  title: 'kill -9 of two servers on one file',
  tried: 'both killed at once under load, started again on the same directory',
  run: (context) => killUnderLoad(context, 2),
}

async function killUnderLoad(context: FaultContext, servers: number): Promise<void> {
  const dataDir = context.directory()
  const demo = new DemoCalls()
  const keys: string[] = []
  const start = () =>
    Promise.all(Array.from({ length: servers }, () => context.startServer({ dataDir, env: fewPasswords })))
  for (let round = 0; round < context.times(14, 2); round++) {
    const running = await start()
    const load = running.map(({ url }) => loadOf(context, url, demo, keys))
    await Bun.sleep(200 + 60 * round)
    await Promise.all(running.map((server) => server.stop('SIGKILL')))
    await Promise.all(load.map((one) => one.stop()))
    context.count('kills', servers)
  }
  const [last] = await start()
  if (last === undefined) return
  context.count('calls answered', demo.granted)
  context.count('keys issued', keys.length)
  demo.check(context, last)
  context.expect(isIntact(last.databasePath), 'the database file is damaged')
  await checkKeys(context, last, keys)
}

const fewPasswords = { LOG_LEVEL: 'warn' }
const callers = 16

function loadOf(context: FaultContext, url: string, demo: DemoCalls, keys: string[]) {
  const calls = repeat(callers, async () => {
    const status = await demo.call(() => ask(context, `${url}/api/og?title=crash&demo=1`))
    if (status === undefined) await Bun.sleep(20)
  })
  const issuing = repeat(2, async () => {
    const answer = await ask(context, `${url}/api/key`)
    if (answer?.status === 200) keys.push(JSON.parse(answer.text).id)
    else await Bun.sleep(20)
  })
  return { stop: () => Promise.all([calls.stop(), issuing.stop()]) }
}

/** Every key that somebody was given is still there. */
async function checkKeys(
  context: FaultContext,
  { url }: FaultServer,
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    const answer = await ask(context, `${url}/api/usage?key=${key}`)
    if (answer?.status !== 200) context.lose('an issued key')
  }
}
