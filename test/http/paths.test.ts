import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { splitTarget } from '../../src/http/target.ts'
import { hangMsMax } from '../support/hang-limit.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { runtimes } from '../support/test-size.ts'

setDefaultTimeout(hangMsMax)

/** Segments that something before or behind us may resolve, split or cut. */
const ups = [
  '/x/..',
  '/x\\..',
  '/x\\../x/..',
  '/.',
  '\\.',
  '/x/%2e%2e',
  '/x/.%2E',
  '/%2e',
  '/admin/..',
  '/admin\\..',
  '/x//../..',
]
const encoded = [
  '/x%2f..%2fadmin',
  '/x/..%2fadmin',
  '/x%5c..%5cadmin',
  '/x%5cadmin',
  '/admin%2flogin',
  '/admin%00',
  '/x/%0d%0aadmin',
  '/x/%7f',
  '/x/%C2%85',
  '/api/AC%2fDC/64',
  '/docs/%09',
]

describe.each(runtimes)('on %s', (runtime) => {
  let server: TestServer
  let paths: readonly string[]
  beforeAll(async () => {
    server = await startServer({ runtime })
    const openapi = (await (await fetch(`${server.url}/openapi.json`)).json()) as {
      paths: Readonly<Record<string, { get?: object }>>
    }
    const documented = Object.keys(openapi.paths).filter((path) => path !== '/' && !path.includes('{'))
    paths = [...documented, '/admin', '/admin/login', '/admin/keys', '/docs', '/status', '/bot', '/client.js']
  })
  afterAll(() => server.stop())

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
    expect(guarded).toContain('/api/key')
    expect(guarded).toContain('/metrics')
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
    expect(
      await othersThan(200, [
        '/bot',
        '/bot?a=/../b%2f',
        'http://mintmark.example/bot',
        '/admin/login',
        '/metrics',
        '/healthz',
        '/client.js',
      ]),
    ).toEqual([])
    expect(await othersThan(308, ['/docs/', '/healthz/', '/admin/login/'])).toEqual([])
    expect(
      await othersThan(404, [
        '/%61dmin',
        '//admin',
        '/x/..;/admin',
        '/x/...',
        '/x/%252e%252e/admin',
        '/x/%c3%80',
      ]),
    ).toEqual([])
  })

  test('the text of a badge may hold encoded slashes, which lead nowhere', async () => {
    expect(
      await othersThan(200, [
        '/badge/shadcn%2Fui-000',
        '/badge/Code-%3C%2F%3E-blue',
        '/badge/a-..%2fb-red',
        '/static/CI%2FCD/on/red',
        '/:a%2Fb-red.svg',
      ]),
    ).toEqual([])
    expect(
      await othersThan(400, [
        '/badge/..%2fadmin-red',
        '/badge/a%2f..%2f..%2fadmin',
        '/badge/a%2f.%2fb-red',
        '/badge/a%5cb-red',
        '/badge/a%00-red',
        '/static/%2e%2e%2fa/b',
      ]),
    ).toEqual([])
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

test.each([
  ['http://host?/admin', '/', '/admin'],
  ['http://host#/admin', '/', ''],
  ['http://host', '/', ''],
  ['http://host/a?b#c', '/a', 'b'],
  ['/a?b/c', '/a', 'b/c'],
])('%s is split at its own path', (url, path, rawQuery) => {
  expect(splitTarget(url)).toEqual({ path, rawQuery })
})
