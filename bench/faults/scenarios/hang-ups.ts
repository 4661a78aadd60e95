import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { randomFrom } from '../../../test/support/random.ts'
import { rawGet } from '../../../test/support/raw-http.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls, usedOf } from '../support/accounts.ts'
import { ask } from '../support/ask.ts'
import { becomesTrue } from '../support/becomes-true.ts'
import type { FaultServer } from '../support/server.ts'

/** A call waits for 20 s at most in all queues together; the drawing itself comes on top of that. */
const answerMsMax = 35_000

/** More calls at once than can be drawn while a caller waits: each is answered, and only what was drawn is counted. */
export const longQueue: Scenario = {
  name: 'long-queue',
  title: 'more slow drawings than anybody waits for',
  tried:
    'cards of rare characters that each need many fonts, all sent at once, where other programs want the same processor',
  async run(context) {
    const onOneCore = ['taskset', '-c', '0']
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' }, launcher: onOneCore })
    for (let program = 0; program < context.times(4, 0); program++) keepBusy(context, onOneCore)
    const demo = new DemoCalls()
    const { below } = randomFrom(29)
    const calls = Array.from({ length: context.times(250, 12) }, async () => {
      const title = Array.from({ length: 60 }, () => String.fromCodePoint(0x4e00 + below(20_000))).join('')
      const query = new URLSearchParams({ title, lang: 'zh-Hans', demo: '1' })
      let ms = 0
      const status = await demo.call(async () => {
        const answer = await ask(context, `${server.url}/api/og?${query}`, { expected: [200, 503] })
        ms = answer?.ms ?? 0
        return answer
      })
      context.count('calls')
      context.count(status === 200 ? 'drawn' : 'told to come back', 1)
      context.expect(status !== undefined, 'a call was cut')
      // The limit is one of the transport and the queue, which quick runs do not come near.
      if (!context.isQuick) context.expect(ms <= answerMsMax, `a call was answered after ${answerMsMax} ms`)
    })
    await Promise.all(calls)
    demo.check(context, server)
  },
}

function keepBusy(context: FaultContext, [launcher = '', ...words]: readonly string[]): void {
  const child = spawn(launcher, [...words, 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore' })
  context.defer(() => child.kill('SIGKILL'))
}

/** A caller that leaves a queue is not counted, and one that leaves a drawing is: the picture is kept. */
export const hangUps: Scenario = {
  name: 'hang-ups',
  title: 'callers that hang up while they wait',
  tried:
    'PNG cards by callers that close their connections before they are answered, and calls that are pipelined, whose connections the runtime closes',
  async run(context) {
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' } })
    let delivered = 0
    for (let round = 0; round < context.times(10, 2); round++) {
      const sockets = Array.from({ length: 24 }, (_, index) =>
        open(server, rawGet(pngOf(`gone-${round}-${index}`), '127.0.0.1')),
      )
      await Bun.sleep(50)
      for (const socket of sockets) socket.destroy()
      context.count('calls hung up', sockets.length)
      const get = `GET ${pngOf(`twice-${round}`)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`
      open(server, get + get)
      context.count('calls pipelined', 2)
      const answer = await ask(context, `${server.url}${pngOf(`stays-${round}`)}`)
      if (answer?.status === 200) delivered += 1
      else context.mistake(`a caller that stayed was answered ${answer?.status}`)
    }
    // Each counted call was drawn, and its picture is in memory.
    let used = 0
    let drawn = 0
    const isEven = await becomesTrue(async () => {
      used = usedOf(server.databasePath, 'demo')
      drawn = await drawnPictures(context, server)
      return used === drawn
    }, 15_000)
    context.expect(isEven, `${used} calls were counted and ${drawn} pictures drawn`)
    context.expect(drawn >= delivered, 'delivered and not counted')
    context.count('counted', used)
  },
}

function pngOf(title: string): string {
  return `/api/og.png?title=${title}&size=x&demo=1`
}

function open({ port }: FaultServer, text: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  socket.on('error', () => {})
  return socket
}

async function drawnPictures(context: FaultContext, { url }: FaultServer): Promise<number> {
  const stats = await ask(context, `${url}/api/stats`)
  return JSON.parse(stats?.text ?? '{}').cache.entries
}
