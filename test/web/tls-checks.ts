import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { FetchFailure } from '../../src/web/fetch-failure.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'
import { fetchText } from './support/collect.ts'
import { loopbackFetcher, loopbackLookup } from './support/loopback-fetcher.ts'
import { startRawServer } from './support/raw-server.ts'

function pem(name: string) {
  return readFileSync(new URL(`../fixtures/web/tls/${name}`, import.meta.url), 'utf8')
}
function answer(socket: { end(text: string): void }) {
  return socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi')
}

async function attempt(certificate: string, host: string, extraRoot: string | undefined = pem('ca.pem')) {
  const requests: string[] = []
  const server = await startRawServer(
    (socket, request) => {
      requests.push(request)
      answer(socket)
    },
    { key: pem(`${certificate}.key`), cert: pem(`${certificate}.pem`) },
  )
  const root = extraRoot === undefined ? {} : { extraRoot }
  const fetcher = loopbackFetcher(server.port, { lookup: loopbackLookup, ...root })
  try {
    await fetchText(fetcher, `https://${host}:${server.port}/`)
    return { outcome: 'ok', requests }
  } catch (failure) {
    assert.ok(failure instanceof FetchFailure)
    assert.doesNotMatch(failure.message, /example|altname|cert/i)
    return { outcome: failure.reason, requests }
  } finally {
    await server.close()
  }
}

const refusals = [
  { name: 'a certificate for another name', certificate: 'other', host: 'site.example.com' },
  { name: 'a certificate that signs itself', certificate: 'self', host: 'site.example.com' },
  { name: 'an expired certificate', certificate: 'expired', host: 'site.example.com' },
  { name: 'a certificate without the address', certificate: 'other', host: '127.0.0.1' },
]

export const checks: readonly Check[] = [
  ...checksOf({
    async 'a certificate of the extra root is trusted for its names and addresses'() {
      for (const host of ['site.example.com', 'www.example.com', '127.0.0.1']) {
        assert.equal((await attempt('site', host)).outcome, 'ok', host)
      }
    },
    async 'without the extra root the same certificate is refused'() {
      const { outcome } = await attempt('site', 'site.example.com', pem('self.pem'))
      assert.equal(outcome, 'tls_error')
    },
  }),
  ...refusals.flatMap(({ name, certificate, host }) =>
    ['1', '0'].map(
      (setting): Check => ({
        name: `${name} is refused before anything is sent, NODE_TLS_REJECT_UNAUTHORIZED=${setting}`,
        async run() {
          process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = setting
          try {
            assert.deepEqual(await attempt(certificate, host), { outcome: 'tls_error', requests: [] })
          } finally {
            delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
          }
        },
      }),
    ),
  ),
  ...checksOf({
    async 'a server that does not speak TLS is a TLS error'() {
      const server = await startRawServer((socket) => answer(socket))
      const fetcher = loopbackFetcher(server.port)
      await assert.rejects(fetchText(fetcher, `https://127.0.0.1:${server.port}/`), { reason: 'tls_error' })
      await server.close()
    },
    async 'a handshake that never ends is a connect timeout'() {
      const server = await startRawServer(() => {})
      const fetcher = loopbackFetcher(server.port, { limits: { connectMs: 300 } })
      await assert.rejects(fetchText(fetcher, `https://127.0.0.1:${server.port}/`), {
        reason: 'timeout_connect',
      })
      await server.close()
    },
  }),
]
