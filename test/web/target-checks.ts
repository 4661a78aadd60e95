import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import type { Requester } from '../../src/web/requester.ts'
import { createTargetLimit } from '../../src/web/target-limit.ts'
import { createWebFetcher } from '../../src/web/web-fetcher.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'
import { eventually } from '../support/eventually.ts'
import { fetchText } from './support/collect.ts'
import { loopbackFetcher, loopbackLookup } from './support/loopback-fetcher.ts'
import { type Behaviour, startRawServer } from './support/raw-server.ts'

const stranger: Requester = { names: [], kind: 'unpaid', id: '192.0.2.1' }
const paid: Requester = { names: [], kind: 'paid', id: 'payment' }
const mib = 1_048_576

function pem(name: string) {
  return readFileSync(new URL(`../fixtures/web/tls/${name}`, import.meta.url), 'utf8')
}

/** The most requests to hosts of these names that are under way at once, each for a requester of its own, at one address. */
async function mostAtOnce(hosts: readonly string[]): Promise<number> {
  let [open, most] = [0, 0]
  const behave: Behaviour = (...connection) => {
    open += 1
    most = Math.max(most, open)
    setTimeout(() => {
      open -= 1
      page(...connection)
    }, 20)
  }
  await withSite(behave, 1_000, async (read) => {
    await Promise.all(hosts.map((host, index) => read(host, { ...paid, names: [`client ${index}`] })))
  })
  return most
}

/** Runs `work` with a fetcher whose site answers so, under every name. `leftAtAddress` takes the requests that its address has left. */
async function withSite(
  behave: Behaviour,
  perMinute: number,
  work: (
    read: (host: string, requester: Requester) => Promise<number>,
    leftAtAddress: () => number,
  ) => Promise<void>,
  isTls = false,
): Promise<void> {
  const tls = isTls ? { key: pem('site.key'), cert: pem('site.pem') } : undefined
  const server = await startRawServer(behave, tls)
  const nowMs = Date.now()
  const targets = createTargetLimit({ perMinute, now: () => nowMs, isDivided: () => false })
  const more = { lookup: loopbackLookup, extraRoot: pem('ca.pem'), targets }
  const fetcher = loopbackFetcher(server.port, more)
  /** Returns how many bytes of the page came out of its decoders. */
  async function read(host: string, requester: Requester): Promise<number> {
    const { bytes } = await fetcher.fetchPage(`${isTls ? 'https' : 'http'}://${host}:${server.port}/`, {
      requesters: [requester],
      bodyBytesMax: 50 * mib,
      sink: () => ({ write: () => true, isUseful: () => false }),
    })
    return bytes.decoded
  }
  function leftAtAddress(): number {
    for (let left = 0; ; left += 1) {
      try {
        targets.begin(`site${left}.org`, [paid]).send(['127.0.0.1'], 0)
      } catch {
        return left
      }
    }
  }
  try {
    await work(read, leftAtAddress)
  } finally {
    await server.close()
  }
}

function isRefused(failure: unknown): boolean {
  return failure instanceof FetchFailure && failure.reason === 'target_busy'
}

const page: Behaviour = (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')

/** Words that pack to about a third, so that a part of them is longer than it is on the wire. */
const words = Array.from({ length: 600_000 }, () => randomBytes(4).toString('hex')).join(' ')
const packed = gzipSync(words)

/** Sends a packed body in pieces of this size. */
function inPieces(bytes: number): Behaviour {
  return async (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`)
    for (let at = 0; at < packed.length && !socket.destroyed; at += bytes)
      await new Promise((resolve) => socket.write(packed.subarray(at, at + bytes), resolve))
  }
}

export const checks: readonly Check[] = checksOf({
  async 'a host is asked for two pages at once, and an address for eight, whoever asks'() {
    assert.equal(await mostAtOnce(Array.from({ length: 12 }, () => 'site.com')), 2)
    assert.equal(await mostAtOnce(Array.from({ length: 24 }, (_, index) => `site${index}.com`)), 8)
  },
  async 'one client is fetched sixteen pages at once, under each of its names, and others beside it'() {
    const server = await startRawServer(() => {})
    const asked: string[] = []
    const fetcher = createWebFetcher({
      userAgent: 'Test',
      lookup: async () => [{ address: `93.184.${asked.length}.34`, ttl: 60 }],
      openSocket: (address) => {
        asked.push(address)
        return net.connect(server.port, '127.0.0.1')
      },
    })
    const fetches: Promise<unknown>[] = []
    function fetchFor(...names: string[]) {
      const requesters: Requester[] = [{ names, kind: 'paid', id: 'payment' }]
      fetches.push(
        fetchText(fetcher, `http://site${fetches.length}.com/`, { requesters }).catch(() => undefined),
      )
    }
    for (let count = 0; count < 20; count += 1) fetchFor(`address ${count}`, 'key')
    await eventually(() => asked.length === 16)
    for (let count = 0; count < 3; count += 1) fetchFor('another')
    await eventually(() => asked.length === 19)
    await server.close()
    await Promise.all(fetches)
  },
  async 'requests over TLS count for the address that they went to'() {
    await withSite(
      page,
      5,
      async (read, leftAtAddress) => {
        for (let count = 0; count < 4; count += 1) await read('site.example.com', paid)
        await assert.rejects(read('www.example.com', paid), isRefused)
        assert.equal(leftAtAddress(), 4 * 4 - 4)
      },
      true,
    )
  },
  async 'sites at one address share its requests'() {
    await withSite(page, 5, async (read) => {
      for (let site = 0; site < 4; site += 1)
        for (let count = 0; count < 4; count += 1) await read(`site${site}.com`, paid)
      await assert.rejects(read('site5.com', paid), isRefused)
      for (let site = 0; site < 4; site += 1) await read(`site${site}.com`, stranger)
      await assert.rejects(read('site5.com', stranger), isRefused)
    })
  },
  async 'a packed body that nothing pays for is cut at the same byte, however it arrives'() {
    const lengths: number[] = []
    for (const bytes of [4_000, 65_536, packed.length])
      await withSite(inPieces(bytes), 1_000, async (read) => {
        lengths.push(await read('example.com', stranger))
      })
    assert.ok(packed.length > 2 * mib)
    assert.equal(new Set(lengths).size, 1, lengths.join(' '))
    assert.ok((lengths[0] ?? 0) > mib && (lengths[0] ?? 0) < words.length / 2, lengths.join(' '))
    await withSite(inPieces(65_536), 1_000, async (read) => {
      assert.equal(await read('example.com', paid), words.length)
    })
  },
})
