import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import net from 'node:net'
import type { OpenSocket } from '../../src/web/connect.ts'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import { isPublicAddress } from '../../src/web/url-rules.ts'
import { createWebFetcher, type WebFetcherOptions } from '../../src/web/web-fetcher.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'
import ssrf from './ssrf.json' with { type: 'json' }
import tables from './ssrf-checks.json' with { type: 'json' }
import { fetchText } from './support/collect.ts'
import { loopbackFetcher } from './support/loopback-fetcher.ts'
import { startRawServer } from './support/raw-server.ts'

interface SsrfCase {
  readonly id: string
  readonly url: string
  readonly expect: 'blocked' | 'allowed'
  readonly code?: string
  readonly dns?: Readonly<Record<string, readonly string[]>>
  readonly dns_sequence?: Readonly<Record<string, readonly (readonly string[])[]>>
  readonly resolver_calls?: number
  readonly dialled?: string
}

const fixture = new URL('../fixtures/web/ssrf.json', import.meta.url)
const shared = new URL('../../../shared/cases/ssrf.json', import.meta.url)
function readCases(file: URL): readonly SsrfCase[] {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).cases : []
}
const cases = [
  ...new Map([...readCases(fixture), ...readCases(shared)].map((entry) => [entry.id, entry])).values(),
]

async function publicInternet() {
  const dialled: string[] = []
  const server = await startRawServer((socket, request) => {
    const url = new URL(request.split(' ')[1] ?? '/', 'http://pub.example.com')
    function redirect(to: string) {
      return socket.end(
        Buffer.from(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\nContent-Length: 0\r\n\r\n`, 'utf8'),
      )
    }
    const left = Number(url.searchParams.get('n'))
    if (url.pathname === '/redir') redirect(url.searchParams.get('to') ?? '')
    else if (url.pathname === '/chain' && left >= 0) redirect(left === 0 ? '/ok' : `/chain?n=${left - 1}`)
    else if (url.pathname === '/loop') redirect('/loop')
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
  })
  const openSocket: OpenSocket = (address) => {
    dialled.push(address)
    return net.connect(server.port, '127.0.0.1')
  }
  return { dialled, server, openSocket }
}

function lookupFrom({ dns = {}, dns_sequence = {} }: SsrfCase) {
  const asked: string[] = []
  const lookup: WebFetcherOptions['lookup'] = async (host, family) => {
    if (family === 4) asked.push(host)
    const turn = asked.filter((name) => name === host).length - (family === 4 ? 1 : 0)
    const answers = dns_sequence[host]?.[turn] ?? dns[host] ?? dns['*'] ?? []
    return answers
      .filter((address) => (address.includes(':') ? 6 : 4) === family)
      .map((address) => ({ address, ttl: 0 }))
  }
  return { asked, lookup }
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
    return 'allowed'
  } catch (failure) {
    assert.ok(failure instanceof FetchFailure, String(failure))
    assert.doesNotMatch(failure.message, /\d+\.\d+\.\d+|::/)
    return failure.reason
  }
}

const caseChecks = cases.map(
  (entry): Check => ({
    name: `${entry.id}: ${entry.expect} ${entry.code ?? ''}`,
    async run() {
      const { dialled, server, openSocket } = await publicInternet()
      const { asked, lookup } = lookupFrom(entry)
      const fetcher = createWebFetcher({ userAgent: 'Test', lookup, openSocket })
      try {
        const expected = entry.expect === 'allowed' ? 'allowed' : entry.code
        assert.equal(await reasonOf(fetchText(fetcher, entry.url)), expected)
        assert.deepEqual(
          dialled.filter((address) => !isPublicAddress(address)),
          [],
        )
        if (entry.resolver_calls !== undefined) assert.equal(asked.length, entry.resolver_calls)
        if (entry.dialled !== undefined) assert.deepEqual(dialled, [entry.dialled])
      } finally {
        await server.close()
      }
    },
  }),
)

async function attempt(options: Partial<WebFetcherOptions>, urlOf: (port: number) => string) {
  const server = await startRawServer((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'),
  )
  const fetcher = createWebFetcher({ userAgent: 'Test', allowPorts: [server.port], ...options })
  const reason = await reasonOf(fetchText(fetcher, urlOf(server.port)))
  const connections = server.connections()
  await server.close()
  return { reason, connections }
}

const privateForms = ssrf.privateForms

function lookupTo(address: string): NonNullable<WebFetcherOptions['lookup']> {
  return async (_, family) => (family === 4 ? [{ address, ttl: 60 }] : [])
}

export const checks: readonly Check[] = [
  ...caseChecks,
  ...privateForms.map(
    (host): Check => ({
      name: `no connection reaches a listener at ${host}`,
      async run() {
        const { reason, connections } = await attempt({}, (port) => `http://${host}:${port}/`)
        assert.deepEqual({ reason, connections }, { reason: 'blocked_address', connections: 0 })
      },
    }),
  ),
  ...checksOf({
    async 'no connection reaches a listener through a name that resolves to it'() {
      const result = await attempt(
        { lookup: lookupTo('127.0.0.1') },
        (port) => `http://name.example.org:${port}/`,
      )
      assert.deepEqual(result, { reason: 'blocked_address', connections: 0 })
    },
    async 'a range that the operator allows is fetched from'() {
      const options = { lookup: lookupTo('127.0.0.1'), allowCidrs: ['127.0.0.0/8'] }
      const result = await attempt(options, (port) => `http://name.example.org:${port}/`)
      assert.deepEqual(result, { reason: 'allowed', connections: 1 })
    },
    async 'an allowed IPv4 range does not allow the same address inside IPv6'() {
      const result = await attempt(
        { allowCidrs: ['127.0.0.0/8'] },
        (port) => `http://[::ffff:127.0.0.1]:${port}/`,
      )
      assert.deepEqual(result, { reason: 'blocked_address', connections: 0 })
    },
    async 'the service does not fetch from its own port, even when the operator allows the range'() {
      const server = await startRawServer((socket) => socket.end())
      const fetcher = loopbackFetcher(server.port, { ownPorts: [server.port] })
      assert.equal(await reasonOf(fetchText(fetcher, `http://127.0.0.1:${server.port}/`)), 'self_request')
      assert.equal(server.connections(), 0)
      await server.close()
    },
    async 'the service does not fetch from its own name'() {
      const options = { lookup: lookupTo('93.184.216.34'), ownHosts: ['mint.example.org'] }
      const result = await attempt(options, (port) => `http://MINT.example.org.:${port}/`)
      assert.deepEqual(result, { reason: 'self_request', connections: 0 })
    },
    async 'a domain that the operator denies is not fetched from'() {
      const options = {
        lookup: lookupTo('93.184.216.34'),
        isDenied: (host: string) => host === 'denied.example.org',
      }
      const result = await attempt(options, (port) => `http://denied.example.org:${port}/`)
      assert.deepEqual(result, { reason: 'denied_domain', connections: 0 })
    },
    async 'proxy variables in the environment divert nothing'() {
      const proxy = await startRawServer((socket) => socket.end())
      const names = tables.names
      for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`
      try {
        const result = await attempt({ allowCidrs: ['127.0.0.0/8'] }, (port) => `http://127.0.0.1:${port}/`)
        assert.deepEqual(result, { reason: 'allowed', connections: 1 })
        assert.equal(proxy.connections(), 0)
      } finally {
        for (const name of names) delete process.env[name]
        await proxy.close()
      }
    },
  }),
]
