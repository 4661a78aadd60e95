import assert from 'node:assert/strict'
import net from 'node:net'
import { connectTcp } from '../../src/web/connect.ts'
import { createResolver } from '../../src/web/hop.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'
import { fetchText } from './support/collect.ts'
import { startDnsServer } from './support/dns-server.ts'
import { loopbackFetcher, loopbackLookup } from './support/loopback-fetcher.ts'
import { startRawServer } from './support/raw-server.ts'

function answers(name: string) {
  if (name === 'both.example.com') return ['93.184.216.34', '2606:4700::1']
  if (name === 'four.example.com') return ['93.184.216.34']
  if (name === 'loop.example.com') return ['127.0.0.1']
  if (name === 'broken.example.com') return 'servfail' as const
  if (name === 'silent.example.com') return 'silence' as const
  return []
}

async function withDns(run: (dns: Awaited<ReturnType<typeof startDnsServer>>) => Promise<void>) {
  const dns = await startDnsServer(answers)
  try {
    await run(dns)
  } finally {
    dns.close()
  }
}

/** Deno reports a failing DNS server as a missing name. */
const brokenReason = 'Deno' in globalThis ? 'dns_not_found' : 'dns_error'

export const checks: readonly Check[] = checksOf({
  'both families are asked for, once for many equal questions': () =>
    withDns(async (dns) => {
      const resolve = createResolver({ dnsServers: [dns.address] })
      const [first, second] = await Promise.all([resolve('both.example.com'), resolve('both.example.com')])
      assert.deepEqual([...first].sort(), ['2606:4700::1', '93.184.216.34'])
      assert.deepEqual(await resolve('both.example.com'), second)
      assert.deepEqual([...dns.questions].sort(), ['A both.example.com', 'AAAA both.example.com'])
    }),
  'a name with one family resolves': () =>
    withDns(async (dns) => {
      assert.deepEqual(await createResolver({ dnsServers: [dns.address] })('four.example.com'), [
        '93.184.216.34',
      ])
    }),
  'missing, broken and silent names have their own reasons': () =>
    withDns(async (dns) => {
      const resolve = createResolver({ dnsServers: [dns.address] })
      await assert.rejects(resolve('nobody.example.com'), { reason: 'dns_not_found' })
      await assert.rejects(resolve('broken.example.com'), { reason: brokenReason })
      await assert.rejects(resolve('silent.example.com'), { reason: 'timeout_dns' })
    }),
  'a site served from loopback is reached through the DNS servers of the settings': () =>
    withDns(async (dns) => {
      const server = await startRawServer((socket, request) =>
        socket.end(`HTTP/1.1 200 OK\r\n\r\n${request.match(/^host: .*$/im)?.[0]}`),
      )
      const fetcher = loopbackFetcher(server.port, { dnsServers: [dns.address] })
      const { text } = await fetchText(fetcher, `http://loop.example.com:${server.port}/`)
      assert.equal(text, `Host: loop.example.com:${server.port}`)
      await server.close()
    }),
  async 'a silent address does not keep the next one waiting'() {
    const server = await startRawServer(() => {})
    const open = (address: string) =>
      address.includes(':') ? new net.Socket() : net.connect(server.port, '127.0.0.1')
    const addresses = ['2606:4700::1', '93.184.216.34']
    const socket = await connectTcp(addresses, server.port, new AbortController().signal, open, 30)
    assert.equal(socket.remotePort, server.port)
    socket.destroy()
    await server.close()
  },
  async 'a dead address gives way to the next one at once'() {
    const dead = await startRawServer(() => {})
    await dead.close()
    const server = await startRawServer(() => {})
    const open = (address: string) =>
      net.connect(address.endsWith('33') ? dead.port : server.port, '127.0.0.1')
    const addresses = ['93.184.216.33', '93.184.216.34']
    const socket = await connectTcp(addresses, 80, new AbortController().signal, open, 60_000)
    assert.equal(socket.remotePort, server.port)
    socket.destroy()
    await server.close()
  },
  async 'never more than two requests at once reach one host, redirects to it included'() {
    const open: (() => void)[] = []
    let most = 0
    const server = await startRawServer((socket, request) => {
      const host = /^host: (\S+)/im.exec(request)?.[1] ?? ''
      if (!host.startsWith('victim')) {
        const location = `http://victim.example.com:${host.split(':')[1]}/${host}`
        return socket.end(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\nContent-Length: 0\r\n\r\n`)
      }
      most = Math.max(
        most,
        open.push(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')),
      )
      // A third one would come meanwhile.
      if (open.length === 2)
        setTimeout(() => {
          for (const answer of open.splice(0)) answer()
        }, 20)
    })
    const fetcher = loopbackFetcher(server.port, { lookup: loopbackLookup })
    const urls = Array.from({ length: 12 }, (_, index) => `http://h${index}.example.com:${server.port}/`)
    await Promise.all(urls.map((url) => fetchText(fetcher, url)))
    assert.equal(most, 2)
    await server.close()
  },
})
