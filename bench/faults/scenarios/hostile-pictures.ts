import { randomFrom } from '../../../test/support/random.ts'
import { hostilePicture } from '../hostile/pictures.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'

/** No picture that a caller brings costs more than its text, in memory or in time. */
export const hostilePictures: Scenario = {
  name: 'hostile-pictures',
  title: 'hostile pictures as logos',
  tried: 'seeded JPEG, PNG, GIF, WebP and SVG logos that claim or cost far more than they are, drawn as PNG',
  bounds: { memoryMbMax: 150 },
  async run(context) {
    const random = randomFrom(12)
    const pictures = Array.from({ length: context.times(2000, 60) }, () => hostilePicture(random))
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' } })
    const slowMs = context.times(2000, 20_000)
    await inParallel(pictures.length, 4, async (index) => {
      const { kind = '', href = '' } = pictures[index] ?? {}
      const query = new URLSearchParams({
        kind: 'badge',
        value: `${index}`,
        format: 'png',
        demo: '1',
        logo: href,
      })
      const answer = await ask(context, `${server.url}/api/transform?${query}`)
      context.count('pictures')
      if (answer?.status === 200) context.count('of them drawn')
      if (answer === undefined) context.mistake(`nobody answered: ${kind}`)
      else if (![200, 400].includes(answer.status)) context.mistake(`${answer.status} for ${kind}`)
      else if (answer.ms > slowMs) context.mistake(`slower than ${slowMs / 1000} s: ${kind}`)
    })
  },
}
