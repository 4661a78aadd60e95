import { afterEach, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '../support/eventually.ts'
import { type QuietServer, startQuietServer } from '../support/quiet-server.ts'
import { runtimes, slowTest } from '../support/test-size.ts'

let server: QuietServer | undefined
const directories: string[] = []
afterEach(async () => {
  await server?.kill()
  for (const directory of directories) rmSync(directory, { recursive: true, force: true })
})

/** A pipe that the test holds open for reading, until it closes it. */
function makePipe() {
  const directory = mkdtempSync(join(tmpdir(), 'mintmark-pipe-'))
  directories.push(directory)
  const path = join(directory, 'pipe')
  spawnSync('mkfifo', [path])
  let reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  const bytes = Buffer.alloc(65536)
  return {
    writer,
    closeWriter: () => closeSync(writer),
    closeReader: () => closeSync(reader),
    openReader: () => {
      reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    },
    /** Everything that is in it at this moment. */
    read(): string {
      let text = ''
      for (;;) {
        try {
          const count = readSync(reader, bytes)
          if (count === 0) return text
          text += bytes.toString('latin1', 0, count)
        } catch {
          return text
        }
      }
    },
  }
}

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
}

/** Asks for cards one after another, and answers how each went and how many of them were counted. */
async function drawCards(url: string, count: number) {
  const statuses: number[] = []
  for (let n = 0; n < count; n++) {
    const response = await fetch(`${url}/api/og?title=log+${n}&demo=1`)
    statuses.push(response.status)
    await response.arrayBuffer()
  }
  return { statuses, used: await metric(url, 'mintmark_demo_calls_used') }
}

function allGood(count: number) {
  return { statuses: Array(count).fill(200), used: count }
}

for (const runtime of runtimes) {
  test(`a log on a full disk harms no request on ${runtime}, and what was lost is counted`, async () => {
    server = await startQuietServer({ runtime, redirect: '>/dev/full 2>/dev/full' })
    expect(await drawCards(server.url, 30)).toEqual(allGood(30))
    expect(await metric(server.url, 'mintmark_log_lines_lost_total')).toBeGreaterThanOrEqual(1)
    server.signalGroup('SIGTERM')
    expect(await server.exited).toBe(0)
  })

  slowTest(`an output that is closed from the start harms no request and no file on ${runtime}`, async () => {
    server = await startQuietServer({ runtime, redirect: '>&- 2>&- <&-' })
    expect(await drawCards(server.url, 30)).toEqual(allGood(30))
    server.signalGroup('SIGTERM')
    expect(await server.exited).toBe(0)
  })

  slowTest(
    `a log whose reader has gone harms no request on ${runtime}, and one that comes back is told`,
    async () => {
      const pipe = makePipe()
      server = await startQuietServer({ runtime, stdout: pipe.writer, stderr: pipe.writer })
      pipe.closeWriter()
      expect(pipe.read()).toContain('"listening"')
      pipe.closeReader()
      expect(await drawCards(server.url, 30)).toEqual(allGood(30))
      // Lines are written a moment later than answers.
      const { url } = server
      await eventually(async () => (await metric(url, 'mintmark_log_lines_lost_total')) >= 30)
      pipe.openReader()
      await drawCards(server.url, 1)
      let text = ''
      await eventually(() => {
        text += pipe.read()
        return text.includes('lines were lost')
      })
      expect(text).toMatch(/"level":"warn","message":"\d+ lines were lost","count":\d+\}/)
      server.signalGroup('SIGTERM')
      expect(await server.exited).toBe(0)
    },
  )
}

slowTest(
  'a reader of the log that sleeps holds nobody up: lines wait up to a bound, the rest is lost and counted',
  async () => {
    const pipe = makePipe()
    server = await startQuietServer({ stdout: pipe.writer })
    pipe.closeWriter()
    const { url } = server
    // Lines of some 8 KB each: more than the pipe and the bound of what waits hold together.
    const path = 'x'.repeat(8000)
    const requests = 220
    for (let n = 0; n < requests; n++)
      expect((await fetch(`${url}/${path}${n}`, { keepalive: true })).status).toBe(404)
    expect(await drawCards(url, 20)).toEqual(allGood(20))
    await eventually(async () => (await metric(url, 'mintmark_log_lines_lost_total')) > 10)
    let text = ''
    await eventually(() => {
      text += pipe.read()
      return text.includes('lines were lost')
    })
    const entries = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const told = entries.find(({ message }) => message.endsWith('lines were lost'))
    const seen = entries.filter((entry) => entry.path?.includes('xxxx')).length
    // Not one line is torn, and every request's line was either read or counted.
    expect(seen).toBeGreaterThan(20)
    expect(seen + told.count).toBeGreaterThanOrEqual(requests)
    // The end does not wait for the reader either.
    for (let n = 0; n < 30; n++) await fetch(`${url}/${path}${n}`)
    server.signalGroup('SIGTERM')
    expect(await server.exited).toBe(0)
  },
)

slowTest('a set-up link that cannot be printed does not stop the start', async () => {
  server = await startQuietServer({ redirect: '>/dev/null 2>/dev/full' })
  expect(await drawCards(server.url, 1)).toEqual(allGood(1))
})

test('a command whose output is lost says so with its exit code', () => {
  const sign = `'${process.execPath}' src/main.ts sign --key mk_2222222222222222 --secret ${'b'.repeat(64)} --title Hello`
  function exitCode(redirect: string) {
    return spawnSync('/bin/sh', ['-c', `${sign} ${redirect}`], { env: { PATH: process.env['PATH'] ?? '' } })
      .status
  }
  expect([exitCode('>/dev/null'), exitCode('>/dev/full'), exitCode('>/dev/full 2>&1')]).toEqual([0, 1, 1])
})
