import { afterEach, expect, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, readSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loggedPath } from '../../src/access/path-address.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import { openAdminServer } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { eventually } from '../support/eventually.ts'
import { type QuietServer, startQuietServer } from '../support/quiet-server.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { runtimes, slowTest } from '../support/test-size.ts'
import cases from './log.json' with { type: 'json' }

const server = started(startServer)

test('every request leaves one line, with the id that its answer carries', async () => {
  const ids: string[] = []
  const paths = ['/api/og?title=Logged&demo=1', '/api/og?title=Logged', '/api/og', '/nope', '/healthz']
  for (const path of paths) {
    const response = await fetch(server.url + path)
    const id = response.headers.get('x-request-id')
    const line = await eventually(() => server.lines.find((one) => one['id'] === id))
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      method: 'GET',
      path: path.split('?')[0],
      status: response.status,
      ms: expect.any(Number),
    })
    // Who called is told only where something was refused.
    expect(line['client']).toBe(response.ok ? undefined : '127.0.0.1')
    ids.push(String(id))
  }
  for (const id of ids) expect(server.lines.filter((line) => line['id'] === id)).toHaveLength(1)
})

test('no spelling of a signed address is shown with its signature, neither by the log nor by the traffic page', async () => {
  const admin = await openAdminServer()
  const operator = await logIn(admin)
  const { id, secret } = await (await fetch(`${admin.url}/api/key`)).json()
  const url = await embedUrl(`${admin.url}/api/og`, { title: 'Words of the picture' }, { key: id, secret })
  const path = url.slice(admin.url.length)
  const [, , , , payload = '', file = ''] = path.split('/')
  const sig = file.slice(0, 32)
  const encoded = Array.from(sig, (digit) => `%${digit.charCodeAt(0).toString(16)}`).join('')
  const query = `title=A&key=${id}&t=1700000000&sig=${sig}${sig}`
  const spellings = [
    path,
    `${path}x`,
    `${path}?v=2`,
    ...(cases.replaced as [string, string][]).map(([from, to]) => path.replace(from, to)),
    path.replaceAll('/', '%2f').replace('%2f', '/'),
    path.replaceAll('/', '%252F').replace('%252F', '/'),
    path.replaceAll('/', '\\').replace('\\', '/'),
    path.replace(sig, encoded),
    path.replace(sig, `${sig}${sig}`),
    path.replace(sig, `=%0D%0A${sig}`),
    path.replace('.svg', '').replace('/i/', '/images/'),
    `/nothing/${encoded}`,
    `/${sig}.svg`,
    `/api/og%3F${query}`,
    `/api/og%253F${query}`,
    `/api/og&${query}`,
    `/api/og;${query}`,
    `/nothing#${query}`,
    `/admin/setup%3Ftoken=${sig}`,
  ]
  for (const target of spellings) await rawHttp(admin.port, rawGet(target, `127.0.0.1:${admin.port}`))
  const shown = [admin.log(), await operator.page('/admin/traffic')].join('\n')
  for (const secretText of [sig, encoded, sig.slice(8), payload]) expect(shown).not.toContain(secretText)
  expect(shown).toContain(`/i/og/${id}`)
  await admin.close()
})

test.each([
  ['/i/og/mk_2345678abcdefghj/dGl0bGU9SGVsbG8/0123.svg', '/i/og/mk_2345678abcdefghj'],
  ['/wp-content/plugins/akismet/readme.txt', '/wp-content/plugins/akismet/readme.txt'],
  ['/admin/keys/mk_2345678abcdefghj', '/admin/keys/mk_2345678abcdefghj'],
  [`/x/${'ab'.repeat(16)}/y`, '/x/abababababababab…/y'],
])('the path %s is shown as %s', (path, shown) => {
  expect(loggedPath(path)).toBe(shown)
})

test('no signature, key, payment or word of the query is logged', async () => {
  const sig = 'ab'.repeat(32)
  await fetch(`${server.url}/api/og?title=PrivateWords&key=mk_private&t=1700000000&sig=${sig}`, {
    headers: {
      'x-payment': `0x${'cd'.repeat(32)}`,
      'x-payment-proof': 't=1,sig=0xproofproof',
      authorization: 'Payment topsecret',
      cookie: 'session=cookiesecret',
    },
  })
  // Lines are written in the order of the requests.
  const last = (await fetch(`${server.url}/healthz`)).headers.get('x-request-id')
  await eventually(() => server.lines.some((line) => line['id'] === last))
  const everything = JSON.stringify(server.lines)
  for (const secret of [...cases.secrets, sig]) {
    expect(everything).not.toContain(secret)
  }
})

let logFaultsServer: QuietServer | undefined
const directories: string[] = []
afterEach(async () => {
  await logFaultsServer?.kill()
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
    logFaultsServer = await startQuietServer({ runtime, redirect: '>/dev/full 2>/dev/full' })
    expect(await drawCards(logFaultsServer.url, 30)).toEqual(allGood(30))
    expect(await metric(logFaultsServer.url, 'mintmark_log_lines_lost_total')).toBeGreaterThanOrEqual(1)
    logFaultsServer.signalGroup('SIGTERM')
    expect(await logFaultsServer.exited).toBe(0)
  })

  slowTest(`an output that is closed from the start harms no request and no file on ${runtime}`, async () => {
    logFaultsServer = await startQuietServer({ runtime, redirect: '>&- 2>&- <&-' })
    expect(await drawCards(logFaultsServer.url, 30)).toEqual(allGood(30))
    logFaultsServer.signalGroup('SIGTERM')
    expect(await logFaultsServer.exited).toBe(0)
  })

  slowTest(
    `a log whose reader has gone harms no request on ${runtime}, and one that comes back is told`,
    async () => {
      const pipe = makePipe()
      logFaultsServer = await startQuietServer({ runtime, stdout: pipe.writer, stderr: pipe.writer })
      pipe.closeWriter()
      expect(pipe.read()).toContain('"listening"')
      pipe.closeReader()
      expect(await drawCards(logFaultsServer.url, 30)).toEqual(allGood(30))
      // Lines are written a moment later than answers.
      const { url } = logFaultsServer
      await eventually(async () => (await metric(url, 'mintmark_log_lines_lost_total')) >= 30)
      pipe.openReader()
      await drawCards(logFaultsServer.url, 1)
      let text = ''
      await eventually(() => {
        text += pipe.read()
        return text.includes('lines were lost')
      })
      expect(text).toMatch(/"level":"warn","message":"\d+ lines were lost","count":\d+\}/)
      logFaultsServer.signalGroup('SIGTERM')
      expect(await logFaultsServer.exited).toBe(0)
    },
  )
}

slowTest(
  'a reader of the log that sleeps holds nobody up: lines wait up to a bound, the rest is lost and counted',
  async () => {
    const pipe = makePipe()
    logFaultsServer = await startQuietServer({ stdout: pipe.writer })
    pipe.closeWriter()
    const { url } = logFaultsServer
    // Lines of some 8 KB each: more than the pipe and the bound of what waits hold together. A long segment would be cut.
    const path = 'xxxx/'.repeat(1600)
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
    logFaultsServer.signalGroup('SIGTERM')
    expect(await logFaultsServer.exited).toBe(0)
  },
)

slowTest('a set-up link that cannot be printed does not stop the start', async () => {
  logFaultsServer = await startQuietServer({ redirect: '>/dev/null 2>/dev/full' })
  expect(await drawCards(logFaultsServer.url, 1)).toEqual(allGood(1))
})

test('a command whose output is lost says so with its exit code', () => {
  const sign = `'${process.execPath}' src/main.ts sign --key mk_2222222222222222 --secret ${'b'.repeat(64)} --title Hello`
  function exitCode(redirect: string) {
    return spawnSync('/bin/sh', ['-c', `${sign} ${redirect}`], { env: { PATH: process.env['PATH'] ?? '' } })
      .status
  }
  expect([exitCode('>/dev/null'), exitCode('>/dev/full'), exitCode('>/dev/full 2>&1')]).toEqual([0, 1, 1])
})
