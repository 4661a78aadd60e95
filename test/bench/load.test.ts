import { describe, expect, test } from 'bun:test'
import { encodedBytes } from '../../bench/support/encoded-bytes.ts'
import { hasWrk, load, untilIdle } from '../../bench/support/wrk.ts'

if (!hasWrk) console.log('left out, as wrk is not installed: the tests of the load generator')

/** One second of load each. */
describe.skipIf(!hasWrk)('load is counted only where every answer was the expected one', () => {
  async function loadOf(status: number, expected?: number) {
    const server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response('x', { status }),
    })
    try {
      const options = { seconds: 1, connections: 2, ...(expected !== undefined && { status: expected }) }
      return await load(`http://127.0.0.1:${server.port}/`, process.pid, options)
    } finally {
      await server.stop(true)
    }
  }

  test('a 402 where a 402 is expected', async () => {
    expect((await loadOf(402, 402)).requestsPerSecond).toBeGreaterThan(0)
  })

  test('a 402 where a 200 is expected is an error', async () => {
    await expect(loadOf(402)).rejects.toThrow('did not answer well')
  })
})

/** A second of work. */
test.skipIf(process.platform !== 'linux')(
  'nobody is measured while a server still works on what was left to it',
  async () => {
    const work = `process.stdout.write('begun')
      const end = performance.now() + 1000
      while (performance.now() < end);
      process.stdout.write('done')
      setInterval(() => {}, 1000)`
    const server = Bun.spawn([process.execPath, '-e', work], { stdout: 'pipe' })
    const reader = server.stdout.getReader()
    await reader.read()
    let isDone = false
    void reader.read().then(() => {
      isDone = true
    })
    try {
      await untilIdle(server.pid)
      expect(isDone).toBe(true)
    } finally {
      server.kill()
    }
  },
)

test('a text that was made of pieces is counted in bytes of UTF-8', () => {
  const pieces = Array.from({ length: 1000 }, () => 'ä€')
  expect(encodedBytes(pieces.join(''))).toBe(5000)
  expect(encodedBytes('')).toBe(0)
})
