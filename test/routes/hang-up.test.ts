import { afterEach, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { eventually } from '../support/eventually.ts'
import { rawGet } from '../support/raw-http.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService | undefined
afterEach(() => service?.stop())

interface Stats {
  readonly demo: { readonly used: number }
  readonly cache: { readonly entries: number }
}

async function readStats({ url }: TestService): Promise<Stats> {
  return (await (await fetch(`${url}/api/stats`)).json()) as Stats
}

function send({ port }: TestService, text: string): Socket {
  const socket = connect(port, '127.0.0.1', () => socket.write(text))
  socket.on('error', () => {})
  return socket
}

function pngTarget(title: string): string {
  return `/api/og.png?title=${title}&size=x&demo=1`
}

test('a call whose client goes while it waits leaves the queue and is refunded; what has begun is counted and kept', async () => {
  service = await startService()
  const { url } = service
  const running = service
  const sockets = Array.from({ length: 24 }, (_, n) =>
    send(running, rawGet(pngTarget(`gone-${n}`), 'localhost')),
  )
  await eventually(async () => (await readStats(running)).demo.used === sockets.length)
  for (const socket of sockets) socket.destroy()
  // Clients of one address take turns in the order of their calls, so this one is drawn after all that stay.
  expect((await fetch(`${url}${pngTarget('stays')}`)).status).toBe(200)
  const { demo } = await eventually(async () => {
    const stats = await readStats(running)
    return stats.demo.used === stats.cache.entries && stats
  })
  expect(demo.used).toBeLessThan(sockets.length)
  expect(demo.used).toBeGreaterThan(0)
})

test('a call that two clients wait for goes on when one of them has gone, who is refunded', async () => {
  const held: (() => void)[] = []
  using site = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch() {
      await new Promise<void>((resolve) => held.push(resolve))
      return new Response('<title>A page</title>', { headers: { 'content-type': 'text/html' } })
    },
  })
  service = await startService({
    env: { FETCH_ALLOW_CIDRS: '127.0.0.0/8', FETCH_ALLOW_PORTS: String(site.port) },
  })
  const running = service
  function targetOf(name: string): string {
    const page = `http://127.0.0.1:${site.port}/${name}`
    return `/api/card?${new URLSearchParams({ page, fallback: 'error', demo: '1' })}`
  }
  // A host is asked for two pages at a time, so the third one waits.
  const others = ['a', 'b'].map((name) => fetch(running.url + targetOf(name)))
  await eventually(() => held.length === 2)
  const gone = send(running, rawGet(targetOf('shared'), 'localhost'))
  const stays = fetch(running.url + targetOf('shared'))
  await eventually(async () => (await readStats(running)).demo.used === 4)
  gone.destroy()
  await eventually(async () => (await readStats(running)).demo.used === 3)
  for (const answer of held.splice(0)) answer()
  await eventually(() => held.length === 1)
  held[0]?.()
  const statuses = (await Promise.all([...others, stays])).map(({ status }) => status)
  expect([statuses, (await readStats(running)).demo.used]).toEqual([[200, 200, 200], 3])
})

test('pipelined calls, whose connection the runtime closes, are not counted', async () => {
  service = await startService()
  const running = service
  const get = `GET ${pngTarget('pipelined')} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const socket = send(running, get + get)
  const text = await new Promise<string>((resolve) => {
    let heard = ''
    socket.on('data', (chunk) => (heard += chunk))
    socket.on('close', () => resolve(heard))
  })
  const answered = text.split('HTTP/1.1 200').length - 1
  await eventually(async () => (await readStats(running)).demo.used === answered)
})
