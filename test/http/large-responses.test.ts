import { expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { startService } from '../support/service.ts'
import { started } from '../support/started.ts'

/** 180 KB: more than a connection takes at once. */
const large = '/api/og.jpg?title=Large&size=x&width=2400&quality=95&demo=1'
const usual = '/api/og.png?title=Usual+sizes+of+pictures&demo=1'
/** An SVG that the server keeps as text: all of it is ASCII. */
const asciiSvg = `/api/og?title=${'Introduction+to+proofs+'.repeat(3)}&subtitle=${'Judge+my+vow+'.repeat(7)}&demo=1`
/** One that it keeps as bytes. */
const otherSvg = `/api/og?title=${encodeURIComponent('構建速度')}&subtitle=${encodeURIComponent('漢字'.repeat(50))}&demo=1`

const server = started(() => startService({ env: { DEMO_DAILY_QUOTA: '100000' } }))

interface Answer {
  readonly head: string
  readonly sha: string
  /** The bytes of the first read of the socket. */
  readonly first: string
}

interface Reading {
  readonly version?: string
  /** Rests so long after each 64 KB. */
  readonly restMs?: number
}

/** Asks for each path in turn over one connection, which must have nothing to say beside the answers. */
function askInTurn(paths: readonly string[], { version = '1.1', restMs = 0 }: Reading = {}) {
  return new Promise<readonly Answer[]>((resolve, reject) => {
    const answers: Answer[] = []
    let held = Buffer.alloc(0)
    let first = ''
    let restedAt = 0
    const socket = connect(server.port, '127.0.0.1', ask)
    function ask() {
      first = ''
      socket.write(`GET ${paths[answers.length]} HTTP/${version}\r\nHost: localhost\r\n\r\n`)
    }
    socket.on('error', reject)
    socket.on('close', () => resolve(answers))
    socket.on('data', (chunk: Buffer) => {
      first ||= chunk.toString('latin1')
      held = Buffer.concat([held, chunk])
      if (restMs > 0 && held.length - restedAt > 65_536) {
        restedAt = held.length
        socket.pause()
        setTimeout(() => socket.resume(), restMs)
      }
      const headEnd = held.indexOf('\r\n\r\n')
      const head = held.toString('latin1', 0, Math.max(0, headEnd))
      const end = headEnd + 4 + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
      if (headEnd < 0 || !(held.length >= end)) return
      const sha = createHash('sha256')
        .update(held.subarray(headEnd + 4, end))
        .digest('hex')
      answers.push({ head, sha, first })
      held = held.subarray(end)
      restedAt = 0
      if (answers.length < paths.length) ask()
      else
        setTimeout(
          () => (held.length === 0 ? socket.end() : reject(new Error('more than was asked for'))),
          50,
        )
    })
  })
}

async function fetched(path: string) {
  const response = await fetch(server.url + path, { headers: { 'accept-encoding': 'identity' } })
  const bytes = await response.bytes()
  return { length: bytes.length, sha: createHash('sha256').update(bytes).digest('hex') }
}

test.each([
  ['drawn now', () => Array.from({ length: 10 }, (_, n) => `/api/og.png?title=New+${n}&demo=1`)],
  ['drawn before', () => Array.from({ length: 10 }, () => usual)],
])('a picture %s leaves with its whole head in one piece', async (_, paths) => {
  const answers = await askInTurn(paths())
  expect(answers).toHaveLength(10)
  for (const { head, first } of answers) expect(first.slice(0, head.length + 4)).toBe(`${head}\r\n\r\n`)
})

const readings: readonly (readonly [string, Reading])[] = [
  ['at once', {}],
  ['slowly', { restMs: 5 }],
  ['by HTTP/1.0', { version: '1.0' }],
]

test.each(readings)(
  'large and small answers over one connection arrive whole when they are read %s',
  async (_, reading) => {
    const paths =
      reading.version === '1.0' ? [large] : [large, usual, otherSvg, large, asciiSvg, usual, large]
    const wanted = await Promise.all(paths.map(fetched))
    expect(wanted[0]?.length).toBeGreaterThan(150_000)
    for (const { length } of wanted) expect(length).toBeGreaterThan(15 * 1024)
    const answers = await askInTurn(paths, reading)
    expect(answers.map(({ sha }) => sha)).toEqual(wanted.map(({ sha }) => sha))
    for (const [index, { head }] of answers.entries()) {
      expect(head.toLowerCase()).toContain(`content-length: ${wanted[index]?.length}`)
      expect(head.toLowerCase()).not.toContain('transfer-encoding')
    }
  },
)

test('whoever leaves in the middle of a large answer takes nothing from those who stay', async () => {
  const { sha } = await fetched(large)
  function leave(afterBytes: number) {
    return new Promise<void>((resolve) => {
      let read = 0
      const socket = connect(server.port, '127.0.0.1', () => {
        socket.write(`GET ${large} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
        if (afterBytes === 0) socket.destroy()
      })
      socket.on('data', (chunk) => {
        read += chunk.length
        if (read >= afterBytes) socket.destroy()
      })
      socket.on('close', () => resolve())
      socket.on('error', () => resolve())
    })
  }
  await Promise.all(Array.from({ length: 60 }, (_, n) => leave((n % 3) * 1000)))
  expect(await askInTurn([large, large])).toMatchObject([{ sha }, { sha }])
})
