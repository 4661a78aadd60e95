import type { Scenario } from '../scenario.ts'
import { usedOf } from '../support/accounts.ts'
import { ask, inParallel } from '../support/ask.ts'
import { cpuMsOf } from '../support/process-tree.ts'

/** HEAD tells what GET would answer with. It is free, so it must cost next to nothing. */
export const headFlood: Scenario = {
  name: 'head-flood',
  title: 'a flood of HEAD',
  tried: 'HEAD of new cards, none of which was made before',
  async run(context) {
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' } })
    const total = context.times(2000, 100)
    // The first calls load fonts and compile code.
    for (const format of ['svg', 'png'])
      await ask(context, `${server.url}/api/og?title=warm&format=${format}&demo=1`)
    const used = usedOf(server.databasePath, 'demo')
    const before = cpuMsOf(server.pid)
    await inParallel(total, 8, async (index) => {
      const format = index % 2 === 0 ? 'png' : 'svg'
      const url = `${server.url}/api/og?title=Head+number+${index}&format=${format}&demo=1`
      const answer = await ask(context, url, { method: 'HEAD' })
      context.count('HEADs')
      if (answer?.status !== 200) context.mistake(`HEAD was answered ${answer?.status}`)
    })
    const cpuMs = (cpuMsOf(server.pid) - before) / total
    context.mistake('a HEAD was charged', usedOf(server.databasePath, 'demo') - used)
    if (cpuMs > cpuMsMax) context.mistake(`a HEAD costs ${cpuMs.toFixed(1)} ms of CPU`)
  },
}

/** To draw a card as PNG takes five times as long; a plain answer less than a tenth. */
const cpuMsMax = 10
