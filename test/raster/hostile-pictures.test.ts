import { afterAll, beforeAll, expect, test } from 'bun:test'
import { treeBytes, watchTree } from '../support/process-memory.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { sampleSize } from '../support/test-size.ts'
import { hostilePictures } from './support/hostile-pictures.ts'

/** Memory that the whole process tree may use beyond what it had before the first request, in bytes. */
const growthBytesMax = 150 * 2 ** 20
const together = 4
const pictureCount = sampleSize(600, 24)

let server: TestServer
beforeAll(async () => {
  server = await startServer({ env: { DEMO_DAILY_QUOTA: '100000' } })
})
afterAll(async () => {
  await server.stop('SIGKILL')
})

interface Answer {
  readonly kind: string
  readonly status: number
  readonly text: string
}

function badgeUrl(logo: string, more: Readonly<Record<string, string>> = {}): string {
  const query = {
    kind: 'badge',
    label: 'a',
    value: 'b',
    format: 'png',
    scale: '4',
    logoWidth: '200',
    demo: '1',
  }
  return `${server.url}/api/transform?${new URLSearchParams({ ...query, ...more, logo })}`
}

async function ask(kind: string, url: string): Promise<Answer> {
  for (;;) {
    const response = await fetch(url)
    const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
    // A busy machine may have no capacity for it yet, and says so.
    if (response.status !== 503 || !text.includes('"code":"busy"'))
      return { kind, status: response.status, text }
  }
}

test('hundreds of hostile pictures cost little memory, none hangs, and each answer is a picture or says what is wrong', async () => {
  const pictures = hostilePictures(12, pictureCount)
  // The first badge loads the text engine, whose memory is not counted as the cost of a picture.
  await ask('warm', badgeUrl('github'))
  const idleBytes = treeBytes(server.process.pid ?? 0)
  const watch = watchTree(server.process.pid ?? 0)
  const answers: Answer[] = []
  const waiting = [...pictures.entries()]
  await Promise.all(
    Array.from({ length: together }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [index, { kind, href }] = next
        answers.push(await ask(kind, badgeUrl(href, { label: String(index) })))
      }
    }),
  )
  const peakBytes = watch.stop()
  expect(answers).toHaveLength(pictureCount)
  expect(answers.filter(({ status }) => ![200, 400, 413, 429, 431].includes(status))).toEqual([])
  expect((peakBytes - idleBytes) / 2 ** 20).toBeLessThan(growthBytesMax / 2 ** 20)
})
