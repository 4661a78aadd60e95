import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls } from '../support/accounts.ts'
import { ask, inParallel } from '../support/ask.ts'

/** Where the log goes, as words of a shell in front of the program. */
const outputs = {
  'into /dev/full': ['sh', '-c', 'exec "$0" "$@" > /dev/full'],
  'into a pipe that nobody reads': ['bash', '-c', 'exec "$0" "$@" > >(exit 0)'],
  'into a closed descriptor': ['sh', '-c', 'exec "$0" "$@" >&-'],
} as const

/** A log that cannot be written is counted as lost, and costs nobody an answer. */
export const logFull: Scenario = {
  name: 'log-full',
  title: 'the log cannot be written',
  tried: 'a log into /dev/full, into a pipe without a reader and into a closed descriptor, under calls',
  async run(context) {
    for (const [where, launcher] of Object.entries(outputs)) await callWithLog(context, where, launcher)
  },
}

async function callWithLog(context: FaultContext, where: string, launcher: readonly string[]): Promise<void> {
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
  const metrics = await ask(context, `${server.url}/metrics`)
  const saysSo = /log\w*(lost|dropped|failed)\w*(\{[^}]*\})? [1-9]/i.test(metrics?.text ?? '')
  context.expect(saysSo, `with the log ${where} /metrics does not count what was lost of it`)
}
