import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { randomFrom } from '../../test/support/random.ts'
import { NotPossibleHere } from '../support/measure.ts'
import { defer, directory, type Server } from '../support/processes.ts'
import {
  type Answer,
  DemoCalls,
  type FaultContext,
  inParallel,
  readRow,
  repeat,
  type Scenario,
  startSite,
} from './context.ts'

const page = '<!doctype html><title>Harbour news</title><meta name="description" content="A page.">'

export const scenarios: readonly Scenario[] = [
  {
    name: 'kill-servers',
    title: 'kill -9 of two servers on one file',
    tried: 'both killed at once under load, started again on the same directory',
    run: killServers,
  },
  {
    name: 'freeze-server',
    title: 'SIGSTOP and SIGCONT of one of two servers on one file',
    tried: 'one frozen at a random moment under load and woken later; the other’s stall',
    run: freezeServer,
  },
  {
    name: 'clock-set',
    title: 'the clock is set',
    tried: 'set back and forth by hours and days under calls and wrong passwords (libfaketime)',
    run: setClock,
  },
  {
    name: 'one-byte-chunks',
    title: 'streams in chunks of one byte',
    tried: 'pages, compressed bodies and a gzip header without end, each byte a chunk of its own',
    bounds: { stallMsMax: 250 },
    run: readInBytes,
  },
  {
    name: 'brotli-windows',
    title: 'brotli bodies with the largest window',
    tried: 'previews at once of pages of a few bytes that fill the largest window',
    bounds: { memoryMbMax: 250 },
    run: fillWindows,
  },
  {
    name: 'drip-servers',
    title: 'sites that answer byte by byte',
    tried: 'two addresses ask for sites that drip, while others ask for sites that answer',
    run: waitForDrips,
  },
  {
    name: 'long-queue',
    title: 'more slow drawings than anybody waits for',
    tried:
      'cards of rare characters that each need many fonts, all sent at once, where other programs want the same processor',
    run: fillQueue,
  },
]

/** `kill -9` while calls are counted and keys are issued: nothing that was answered is gone. */
async function killServers(context: FaultContext): Promise<void> {
  const env = { DATA_DIR: directory() }
  const demo = new DemoCalls(context)
  const keys: string[] = []
  const start = () => Promise.all([context.startServer({ env }), context.startServer({ env })])
  for (let round = 0; round < context.times(10, 2); round++) {
    const running = await start()
    const loads = running.flatMap(({ url }) => [
      repeat(16, async () => {
        if ((await demo.call(`${url}/api/og?title=crash&demo=1`)) === undefined) await Bun.sleep(20)
      }),
      repeat(2, async () => {
        const answer = await context.ask(`${url}/api/key`)
        if (answer?.status === 200) keys.push(JSON.parse(answer.text).id)
        else await Bun.sleep(20)
      }),
    ])
    await Bun.sleep(200 + 60 * round)
    await Promise.all(running.map((server) => server.stop('SIGKILL')))
    await Promise.all(loads.map((load) => load.stop()))
    context.count('kills', 2)
  }
  const [last] = await start()
  demo.check(last)
  context.count('keys issued', keys.length)
  expectIntact(context, last)
  for (const key of keys)
    if ((await context.ask(`${last.url}/api/usage?key=${key}`))?.status !== 200) context.lose('an issued key')
}

/** SQLite's own look at the whole file. */
function expectIntact(context: FaultContext, { databasePath }: Server): void {
  const { integrity_check: said } = readRow<{ integrity_check: string }>(
    databasePath,
    'pragma integrity_check',
  )
  context.expect(said === 'ok', `the database file is damaged: ${said}`)
}

/** A frozen server may hold a lock of the database. The other one must go on, and nothing may be counted twice. */
async function freezeServer(context: FaultContext): Promise<void> {
  const env = { DATA_DIR: directory() }
  const frozen = await context.startServer({ env, isWatched: false })
  const other = await context.startServer({ env })
  const demo = new DemoCalls(context)
  const loads = [frozen, other].map(({ url }) =>
    repeat(8, async () => {
      if ((await demo.call(`${url}/api/og?title=freeze&demo=1`))?.status !== 200) await Bun.sleep(20)
    }),
  )
  for (let round = 0; round < context.times(12, 2); round++) {
    await Bun.sleep(150 + 37 * round)
    frozen.signal('SIGSTOP')
    await Bun.sleep(600)
    frozen.signal('SIGCONT')
    context.count('freezes')
  }
  await Promise.all(loads.map((load) => load.stop()))
  demo.check(other)
}

/** Debian's package `libfaketime`: the program asks for the time and is told another one. */
const fakeTime = ['x86_64', 'aarch64']
  .map((machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`)
  .find((path) => existsSync(path))

/** The machine's clock jumps: nobody waits for days, nobody gets a day's quota twice, and nothing fails. */
async function setClock(context: FaultContext): Promise<void> {
  if (fakeTime === undefined) throw new NotPossibleHere('Debian’s package libfaketime is missing')
  const clockFile = join(directory(), 'clock')
  const quota = 40
  writeFileSync(clockFile, '+0')
  const server = await context.startServer({
    env: {
      LD_PRELOAD: fakeTime,
      FAKETIME_TIMESTAMP_FILE: clockFile,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      DEMO_DAILY_QUOTA: String(quota),
      KEYS_PER_IP_PER_DAY: '3',
    },
  })
  const demo = new DemoCalls(context)
  const guess = () =>
    context.ask(`${server.url}/admin/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
      body: 'password=wrong',
    })
  function checkWait(what: string, answer: Answer | undefined, secondsMax: number): void {
    const seconds = Number(answer?.headers.get('retry-after') ?? 0)
    context.expect(seconds <= secondsMax, `who wants ${what} is told to wait longer than it can take`)
  }
  for (let n = 0; n < 7; n++) await guess()
  for (const step of ['-1h', '-3d', '+0', '+1d', '-2d', '+0']) {
    writeFileSync(clockFile, step)
    context.count('times set')
    await inParallel(2 * quota, 8, (n) => demo.call(`${server.url}/api/og?title=clock+${n}&demo=1`))
    const aDay = 25 * 3600
    checkWait('a day’s quota', await context.ask(`${server.url}/api/og?title=x&demo=1`), aDay)
    for (let n = 0; n < 4; n++) checkWait('a key', await context.ask(`${server.url}/api/key`), aDay)
    checkWait('a log-in', await guess(), 15 * 60)
  }
  demo.check(server)
  const statement = "select max(used) used from usage_days where bucket = 'demo'"
  const { used } = readRow<{ used: number }>(server.databasePath, statement)
  context.expect(used <= quota, 'a day’s quota was given twice')
}

/** Bodies that come a byte at a time, each in a chunk of its own: no reader does again for each byte what it did before. */
async function readInBytes(context: FaultContext): Promise<void> {
  const gzip = 'Content-Encoding: gzip\r\n'
  // A gzip header may carry a file name of any length; this one is as long as the reader must bear.
  const longHeader = Buffer.concat([
    Buffer.from([0x1f, 0x8b, 8, 8, 0, 0, 0, 0, 0, 3]),
    Buffer.alloc(262_000, 97),
  ])
  const bodies: readonly (readonly [headers: string, body: Uint8Array])[] = [
    [gzip, longHeader],
    [gzip, gzipSync(noise(60_000))],
    ['Content-Encoding: br\r\n', brotliCompressSync(noise(60_000))],
    ['', Buffer.from(page + noise(120_000))],
    ['', Buffer.from(`<meta charset="shift_jis">${page}${noise(100_000)}`)],
    ['', Buffer.from(`<script type="application/ld+json">{"a":"${noise(100_000)}`)],
    ['', Buffer.from(`<p a="${noise(100_000)}`)],
  ]
  const site = await startSite(({ path, socket }) => {
    const [headers, body] = bodies[Number(path.slice(1))] ?? ['', new Uint8Array()]
    const chunks = Buffer.alloc(body.length * 6, '1\r\n?\r\n')
    for (const [index, byte] of body.entries()) chunks[index * 6 + 3] = byte
    socket.write(`HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n${headers}Transfer-Encoding: chunked\r\n\r\n`)
    socket.end(Buffer.concat([chunks, Buffer.from('0\r\n\r\n')]))
  })
  const server = await context.startServer({ env: site.env })
  for (let index = 0; index < context.times(bodies.length, 2); index++) {
    await context.ask(site.previewOf(server.url, `/${index}`), { expected: [200, 502, 504] })
    context.count('streams')
  }
}

function noise(length: number): string {
  return Array.from({ length }, (_, index) => String.fromCharCode(97 + ((index * index * 7) % 25))).join('')
}

/** A brotli decoder allocates a window for each body, and the body chooses its size. */
async function fillWindows(context: FaultContext): Promise<void> {
  // Some bytes that mean more blanks than the largest window holds.
  const params = { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  const blanks = Buffer.alloc(1.2 * 2 ** constants.BROTLI_MAX_WINDOW_BITS, ' ')
  const body = brotliCompressSync(Buffer.concat([Buffer.from('<title>Hello</title>'), blanks]), { params })
  const head = `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: br\r\nContent-Length: ${body.length}\r\n\r\n`
  const site = await startSite(({ socket }) => void socket.end(Buffer.concat([Buffer.from(head), body])))
  const server = await context.startServer({ env: site.env })
  await inParallel(context.times(192, 64), 64, async (index) => {
    await context.ask(site.previewOf(server.url, `/${index}`, `w${index}.example.com`), {
      headers: { 'x-forwarded-for': `198.51.100.${index % 250}` },
      expected: [200, 502, 503, 504],
    })
    context.count('bodies')
  })
}

/** Sites that answer slowly keep their slots until their time is over, and all lie at one address: others are served behind them. */
async function waitForDrips(context: FaultContext): Promise<void> {
  const site = await startSite(({ host, socket }) => {
    const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n'
    if (!host.startsWith('drip'))
      return void socket.end(`${head}Content-Length: ${page.length}\r\nConnection: close\r\n\r\n${page}`)
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    const timer = setInterval(() => socket.write('1\r\na\r\n'), 500)
    socket.on('close', () => clearInterval(timer))
  })
  const { url } = await context.startServer({ env: site.env })
  const preview = (host: string, address: string) =>
    context.ask(site.previewOf(url, '/', host), { headers: { 'x-forwarded-for': address } })
  let asked = 0
  const greedy = repeat(256, async () => {
    const index = asked++
    context.count('previews of sites that drip')
    await preview(`drip${index}.example.com`, `192.0.2.${1 + (index % 2)}`)
  })
  await Bun.sleep(1500)
  await inParallel(24, 24, async (index) => {
    context.count('honest previews')
    const answer = await preview(`good${index}.example.com`, `198.51.100.${index}`)
    if (answer?.status !== 200) context.mistake(`an honest preview was answered ${answer?.status}`)
    else if (answer.ms > 20_000) context.mistake('an honest preview waited longer than queues allow')
  })
  await greedy.stop()
}

/** More calls at once than can be drawn while a caller waits: each is answered, and only what was drawn is counted. */
async function fillQueue(context: FaultContext): Promise<void> {
  const onOneCore = ['taskset', '-c', '0']
  const server = await context.startServer({ launcher: onOneCore })
  for (let program = 0; program < context.times(4, 0); program++) {
    const busy = Bun.spawn([...onOneCore, 'sh', '-c', 'while :; do :; done'], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    defer(() => busy.kill('SIGKILL'))
  }
  const demo = new DemoCalls(context)
  const { below } = randomFrom(29)
  const calls = Array.from({ length: context.times(250, 12) }, async () => {
    const title = Array.from({ length: 60 }, () => String.fromCodePoint(0x4e00 + below(20_000))).join('')
    const query = new URLSearchParams({ title, lang: 'zh-Hans', demo: '1' })
    const answer = await demo.call(`${server.url}/api/og?${query}`, { expected: [200, 503] })
    context.count(answer?.status === 200 ? 'drawn' : 'told to come back')
    context.expect(answer !== undefined, 'a call was cut')
    // A call waits for 20 s at most in all queues together; the drawing itself comes on top of that.
    context.expect(context.isQuick || (answer?.ms ?? 0) <= 35_000, 'a call was answered after 35 s')
  })
  await Promise.all(calls)
  demo.check(server)
}
