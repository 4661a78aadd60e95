import { beforeAll, describe, expect, test } from 'bun:test'
import { type AddressInfo, connect, createServer } from 'node:net'
import { splitTarget } from '../../src/http/request-context.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { runtimes, sampleOf, slowTest } from '../support/test-size.ts'
import cases from './paths.json' with { type: 'json' }

/** Segments that something before or behind us may resolve, split or cut. */
const ups = cases.ups
const encoded = cases.encoded

describe.each(runtimes)('on %s', (runtime) => {
  let paths: readonly string[]
  const server = started(() => startServer({ runtime }))
  beforeAll(async () => {
    const openapi = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Readonly<Record<string, { get?: object }>>
    }
    const documented = Object.keys(openapi.paths).filter((path) => path !== '/' && !path.includes('{'))
    paths = [...documented, '/admin', '/admin/login', '/admin/keys', '/docs', '/status', '/bot', '/client.js']
  })

  async function statusOf(target: string): Promise<number> {
    return (await rawHttp(server.port, rawGet(target, 'mintmark.example'))).status
  }

  /** The targets that are not answered with the status. */
  async function othersThan(status: number, targets: readonly string[]): Promise<readonly unknown[]> {
    const statuses = await Promise.all(
      targets.map(async (target) => [target, await statusOf(target)] as const),
    )
    return statuses.filter(([, answered]) => answered !== status)
  }

  test('no target but its own leads to a path of ours that a proxy may guard', async () => {
    const assets = /^\/api\/(?!key|usage|upgrade|payment)/
    const guarded = paths.filter((path) => runtime === 'deno' || !assets.test(path))
    for (const part of ['/api/key', '/metrics']) expect(guarded).toContain(part)
    const targets = guarded.flatMap((path) => [
      ...ups.map((up) => up + path),
      path.replaceAll('/', '\\').replace('\\', '/x/..\\'),
    ])
    // Bun resolves `..` within the admin area itself, and every proxy sees such a path as part of that area too.
    const others = targets.filter((target) => !(runtime === 'bun' && /^\/admin\/\.\.\/admin/.test(target)))
    expect(await othersThan(400, others)).toEqual([])
    expect(
      await othersThan(400, [
        'http://mintmark.example/x\\..\\admin\\login',
        'http://mintmark.example/x/../metrics',
      ]),
    ).toEqual([])
  })

  test('a path with an encoded slash, backslash or control character is refused', async () => {
    expect(await othersThan(400, encoded)).toEqual([])
  })

  test('plain paths are answered, in every form of a target', async () => {
    expect(await othersThan(200, cases.plain)).toEqual([])
    expect(await othersThan(308, ['/docs/', '/healthz/', '/admin/login/'])).toEqual([])
    expect(
      await othersThan(404, '/%61dmin //admin /x/..;/admin /x/... /x/%252e%252e/admin /x/%c3%80'.split(' ')),
    ).toEqual([])
  })

  test('the text of a badge may hold encoded slashes, which lead nowhere', async () => {
    expect(await othersThan(200, cases.badges)).toEqual([])
    expect(await othersThan(400, cases.badgesUp)).toEqual([])
  })
})

test.each(runtimes)(
  'on %s, below the path of BASE_URL no other target leads to a guarded path either',
  async (runtime) => {
    const server = await startServer({ runtime, env: { BASE_URL: 'http://mintmark.example/mint' } })
    const guarded = ['/admin', '/admin/login', '/metrics', '/api/key']
    const targets = guarded.flatMap((path) => [
      ...ups.filter((up) => !/admin/.test(up)).map((up) => `/mint${up}${path}`),
      `/mint/..${path}`,
      `/mint\\..${path}`,
      `/x/../mint${path}`,
      `/x/%2e%2e/mint${path}`,
      `http://mintmark.example/mint/x\\..${path.replaceAll('/', '\\')}`,
    ])
    const asked = [
      ...targets.map((target) => [target, 400]),
      ...guarded.flatMap((path) => [
        [`/mint/${path}`, 404],
        [`/mint/mint${path}`, 404],
        [`/%6dint${path}`, 404],
      ]),
      ['http://mintmark.example/mint/admin/login', 200],
      ['/mint/admin/login', 200],
      ['/admin/login', 200],
    ] as const
    const answered = await Promise.all(
      asked.map(async ([target]) => [
        target,
        (await rawHttp(server.port, rawGet(String(target), 'mintmark.example'))).status,
      ]),
    )
    await server.stop()
    expect(answered).toEqual(asked.map((pair) => [...pair]))
  },
)

/** A proxy with a rule that closes `/mint/admin` and `/mint/metrics`. It hands every other target on as it came. */
async function startGuard(way: 'passes' | 'removes', serverPort: () => number) {
  const proxy = createServer((socket) => {
    socket.once('data', (head) => {
      const [line = '', ...headers] = head.toString('latin1').split('\r\n')
      const [method, target = '', version] = line.split(' ')
      if (/^\/mint\/(?:admin|metrics)(?:[/?]|$)/.test(target))
        return void socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
      if (way === 'removes' && !target.startsWith('/mint/'))
        return void socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n')
      const passed = way === 'removes' ? target.replace('/mint', '') : target
      const lines = [[method, passed, version].join(' '), 'X-Forwarded-For: 203.0.113.9', ...headers]
      const server = connect(serverPort(), '127.0.0.1', () => server.write(lines.join('\r\n')))
      socket.pipe(server).pipe(socket)
      server.on('error', () => socket.destroy())
    })
    socket.on('error', () => socket.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return { port: (proxy.address() as AddressInfo).port, close: () => proxy.close() }
}

const guardedWays = runtimes.flatMap((runtime) =>
  sampleOf(['removes', 'passes'] as const, 2).map((way) => [runtime, way] as const),
)

test.each(guardedWays)(
  'on %s, behind a proxy that %s the path of BASE_URL, no spelling goes round its rule',
  async (runtime, way) => {
    let serverPort = 0
    const proxy = await startGuard(way, () => serverPort)
    const host = `127.0.0.1:${proxy.port}`
    const server = await startServer({ runtime, env: { BASE_URL: `http://${host}/mint` } })
    serverPort = server.port
    async function statusOf(target: string, headers: readonly string[] = []): Promise<number> {
      return (await rawHttp(proxy.port, rawGet(target, host, headers))).status
    }
    const guarded = ['/admin', '/admin/login', '/admin/', '/metrics', '/metrics?a=/mint/']
    const spellings = guarded.flatMap((path) => cases.spellings.map((each) => each.replace('<path>', path)))
    const passed: string[] = []
    for (const target of spellings) {
      const status = await statusOf(target)
      if (![400, 403, 404].includes(status)) passed.push(`${target}: ${status}`)
    }
    expect(passed).toEqual(guarded.map((path) => `/mint/mint?${path}: 308`).filter(() => way === 'removes'))
    for (const path of ['/mint/admin', '/admin', '/mint/mint/admin'])
      expect(await statusOf(path, ['X-Forwarded-Prefix: /mint'])).toBeOneOf([400, 403, 404])
    expect([await statusOf('/mint/docs'), await statusOf('/mint/api/og?title=A&demo=1')]).toEqual([200, 200])
    // Monitors and operators on this machine ask the server itself.
    expect((await fetch(`${server.url}/metrics`)).status).toBe(200)
    expect((await fetch(`${server.url}/admin/login`)).status).toBe(200)
    await server.stop()
    proxy.close()
  },
)

slowTest('a proxy that says that it removed the path is believed where the server cannot ask', async () => {
  const server = await startServer({ env: { BASE_URL: 'http://mintmark.invalid/mint' } })
  async function statusOf(target: string, prefix: string): Promise<number> {
    const headers = [`X-Forwarded-Prefix: ${prefix}`]
    return (await rawHttp(server.port, rawGet(target, 'mintmark.invalid', headers))).status
  }
  expect(await statusOf('/mint/admin/login', '/mint')).toBe(400)
  expect(await statusOf('/admin/login', '/mint')).toBe(200)
  expect(await statusOf('/mint/admin/login', '/other')).toBe(200)
  await server.stop()
})

test.each(cases.adminPaths)('%s is split at its own path', (url, path, rawQuery) => {
  expect(splitTarget(url)).toEqual({ path, rawQuery })
})
