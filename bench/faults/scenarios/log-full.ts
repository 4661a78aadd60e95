import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls, isIntact } from '../support/accounts.ts'
import { ask, inParallel } from '../support/ask.ts'

interface Output {
  /** Words of a shell in front of the program. */
  readonly launcher: readonly string[]
  /** False: writing succeeds, as the runtime opens /dev/null in place of a descriptor that is not there. */
  readonly failsToWrite: boolean
}

const outputs: Readonly<Record<string, Output>> = {
  'into /dev/full': { launcher: ['sh', '-c', 'exec "$0" "$@" > /dev/full'], failsToWrite: true },
  'into a pipe that nobody reads': {
    launcher: ['bash', '-c', 'exec "$0" "$@" > >(exit 0)'],
    failsToWrite: true,
  },
  'into a closed descriptor': { launcher: ['sh', '-c', 'exec "$0" "$@" >&-'], failsToWrite: false },
}

/** A log that cannot be written is counted as lost, and costs nobody an answer. */
export const logFull: Scenario = {
  name: 'log-full',
  title: 'the log cannot be written',
  tried: 'a log into /dev/full, a pipe without a reader and a closed descriptor, under calls',
  async run(context) {
    for (const [where, output] of Object.entries(outputs)) await callWithLog(context, where, output)
  },
}

async function callWithLog(
  context: FaultContext,
  where: string,
  { launcher, failsToWrite }: Output,
): Promise<void> {
  const server = await context.startServer({ launcher })
  const demo = new DemoCalls()
  const total = context.times(1000, 100)
  context.count('logs')
  context.count('calls', total)
  await inParallel(total, 16, async (index) => {
    const status = await demo.call(() => ask(context, `${server.url}/api/og?title=log+${index % 9}&demo=1`))
    if (status !== 200) context.mistake(`with the log ${where} a call was answered ${status ?? 'by nobody'}`)
  })
  demo.check(context, server)
  context.expect(isIntact(server.databasePath), `with the log ${where} the database file is damaged`)
  if (!failsToWrite) return
  const metrics = await ask(context, `${server.url}/metrics`)
  const saysSo = /log\w*(lost|dropped|failed)\w*(\{[^}]*\})? [1-9]/i.test(metrics?.text ?? '')
  context.expect(saysSo, `with the log ${where} /metrics does not count what was lost of it`)
}
