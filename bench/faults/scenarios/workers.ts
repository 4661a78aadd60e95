import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls } from '../support/accounts.ts'
import { ask, inParallel, repeat } from '../support/ask.ts'
import { becomesTrue } from '../support/becomes-true.ts'
import { processTree } from '../support/process-tree.ts'
import type { FaultServer } from '../support/server.ts'

const twoWorkers = { WORKERS: '2', LOG_LEVEL: 'warn' }
function workersOf({ pid }: FaultServer) {
  return processTree(pid).filter((one) => one !== pid)
}

/** One of two workers is killed under load: the other goes on, and a new one takes its place. */
export const killWorker: Scenario = {
  name: 'kill-worker',
  title: 'kill -9 of one of two workers',
  tried: 'one worker killed under load, again and again',
  async run(context) {
    const server = await context.startServer({ env: twoWorkers })
    await context.waitFor('two workers serve', () => workersOf(server).length === 2)
    const demo = new DemoCalls()
    const load = repeat(16, async () => {
      await demo.call(() => ask(context, `${server.url}/api/og?title=worker&demo=1`))
    })
    for (let round = 0; round < context.times(8, 1); round++) {
      await Bun.sleep(400)
      const [worker] = workersOf(server)
      if (worker !== undefined) process.kill(worker, 'SIGKILL')
      context.count('kills')
      await context.waitFor('the worker that died is replaced', () => workersOf(server).length === 2)
    }
    await load.stop()
    context.count('calls answered', demo.granted)
    demo.check(context, server)
  },
}

/** The kernel goes on giving a frozen worker its share of the connections, so it must be replaced soon. */
export const freezeWorker: Scenario = {
  name: 'freeze-worker',
  title: 'SIGSTOP of one of two workers',
  tried: 'one worker frozen under load until another process has taken its place',
  // Requests that the frozen worker accepted wait until the supervisor replaces it.
  bounds: { stallMsMax: 20_000 },
  async run(context) {
    const server = await context.startServer({ env: { WORKERS: '2' } })
    await context.waitFor('two workers serve', () => server.log().split('"listening"').length === 3)
    for (let round = 0; round < context.times(2, 1); round++) {
      const [worker] = workersOf(server)
      if (worker === undefined) return
      process.kill(worker, 'SIGSTOP')
      context.count('freezes')
      await context.waitFor(
        'the frozen worker is replaced',
        () => !workersOf(server).includes(worker) && server.log().split('"listening"').length === 4 + round,
        40_000,
      )
      await inParallel(32, 8, async (index) => {
        const answer = await ask(context, `${server.url}/api/og?title=thaw+${round}+${index}&demo=1`)
        context.expect(answer?.status === 200, 'a call afterwards was not answered')
        context.count('calls afterwards')
      })
    }
  },
}

/** Prometheus is answered by one of the workers, and must be told of all. */
export const workerMetrics: Scenario = {
  name: 'worker-metrics',
  title: 'counters of several workers',
  tried: 'counters read over new connections after calls that either of two workers answered',
  async run(context) {
    const server = await context.startServer({ env: twoWorkers })
    await context.waitFor('two workers serve', () => workersOf(server).length === 2)
    const calls = context.times(200, 40)
    await inParallel(calls, 8, async (index) => {
      await ask(context, `${server.url}/api/og?title=metrics+${index % 5}&demo=1`)
      context.count('calls')
    })
    const isTold = await becomesTrue(async () => (await countedCalls(context, server)) === calls, 10_000)
    context.expect(isTold, 'the counters never come to what was called')
    for (let reading = 0; reading < 20; reading++) {
      const counted = await countedCalls(context, server)
      context.count('readings')
      context.expect(counted === calls, `a reading says ${counted} of ${calls} calls`)
    }
  },
}

async function countedCalls(context: FaultContext, { url }: FaultServer): Promise<number> {
  const metrics = await ask(context, `${url}/metrics`)
  return Number(/^mintmark_requests_total\{endpoint="og"\} (\d+)/m.exec(metrics?.text ?? '')?.[1])
}

/** A service manager signals the whole group at once: what is under way is answered, and all end well. */
export const stopGroup: Scenario = {
  name: 'stop-group',
  title: 'SIGTERM to the whole process group',
  tried: 'two workers and their supervisor signalled together while pictures are drawn, as systemd does',
  async run(context) {
    for (let round = 0; round < context.times(4, 1); round++) {
      const server = await context.startServer({ env: { ...twoWorkers, DRAIN_MS: '500' } })
      await context.waitFor('two workers serve', () => workersOf(server).length === 2)
      const calls = Array.from({ length: 24 }, (_, index) =>
        ask(context, `${server.url}/api/og.png?title=stop+${round}+${index}&demo=1`),
      )
      await Bun.sleep(150)
      server.signal('SIGTERM', true)
      const answers = await Promise.all(calls)
      context.count('stops')
      context.count('calls under way', answers.length)
      context.mistake('a call under way was cut', answers.filter((answer) => answer === undefined).length)
      const code = await server.stop()
      context.expect(code === 0, `the exit code is ${code} and not 0`)
    }
  },
}

/** Nobody is left to restart or to stop workers without their supervisor: they end by themselves. */
export const killSupervisor: Scenario = {
  name: 'kill-supervisor',
  title: 'kill -9 of the supervisor of workers',
  tried: 'killed, then looked whether its workers go on answering on the port',
  async run(context) {
    for (let round = 0; round < context.times(2, 1); round++) {
      const server = await context.startServer({ env: twoWorkers, isWatched: false })
      await context.waitFor('two workers serve', () => workersOf(server).length === 2)
      process.kill(server.pid, 'SIGKILL')
      context.count('kills')
      const isSilent = await becomesTrue(() => refuses(context, server), 10_000)
      context.expect(isSilent, 'orphaned workers still answer')
      await server.stop('SIGKILL')
    }
  },
}

async function refuses(context: FaultContext, { url }: FaultServer): Promise<boolean> {
  return (await ask(context, `${url}/healthz`, { timeoutMs: 5000 })) === undefined
}
