import { describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assets } from '../../src/catalog.ts'
import { readStartConfig } from '../../src/cli/read-start-config.ts'
import { createService } from '../../src/service.ts'
import { operatorPassword } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import cases from './head-every-route.json' with { type: 'json' }

/** Every path that answers GET. */
async function routedPaths(): Promise<readonly string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'mintmark-routes-'))
  function readFile(path: string): string {
    return readFileSync(path, 'utf8')
  }
  const config = await readStartConfig({ DATA_DIR: folder, LOG_LEVEL: 'silent' }, readFile)
  const service = await createService({ config, readFile, write: () => {} })
  const routes = await service.routes()
  await service.close()
  rmSync(folder, { recursive: true })
  return [...new Set(routes.filter(({ method }) => method === 'GET').map(({ path }) => path))]
}

const examples: ReadonlyMap<string, Readonly<Record<string, string>>> = new Map(
  assets.flatMap(({ path, example, variants = [] }) =>
    [path, ...variants.map((variant) => variant.path)].map((each) => [each, example] as const),
  ),
)

/** The URL to ask for a path: a granted call of an asset; for any other route an existing or a wrong name. */
function targetOf(path: string): string {
  const example = examples.get(path)
  const named = path.replace('/pictures/:file', '/pictures/card-paper.svg').replace(/:\w+|\*/g, 'none')
  if (path === '/api/usage') return `${path}?key=none`
  return example === undefined ? named : `${named}?${new URLSearchParams({ ...example, demo: '1' })}`
}

/** They tell one answer from another. */
const own = cases.own

describe.each(['bun', 'deno'] as const)('on %s', (runtime) => {
  const server = started(() =>
    startServer({ runtime, env: { ADMIN_PASSWORD: operatorPassword, KEYS_PER_IP_PER_DAY: '100' } }),
  )
  const operator = started(() => logIn(server))

  async function headOf(method: string, target: string, headers: Record<string, string>) {
    const response = await fetch(server.url + target, {
      method,
      headers: { cookie: operator.cookie, ...headers },
      redirect: 'manual',
    })
    await response.body?.cancel()
    return [response.status, ...[...response.headers].filter(([name]) => !own.includes(name)).sort()]
  }

  test('HEAD has the status and the headers of GET on every route', async () => {
    const paths = await routedPaths()
    expect(paths.length).toBeGreaterThan(40)
    // A look at a site asks that site: those are tested where there is one.
    const isLive = /^\/api\/(preview|sitemap|card)|^\/admin\/logout/
    const targets = paths.filter((path) => !isLive.test(path)).map(targetOf)
    for (const headers of [{ 'accept-encoding': 'identity' }, { accept: 'text/html' }]) {
      // One target after the other: a crowd would be told to come back where the machine is busy.
      for (const target of targets) {
        const [head, get] = await Promise.all(
          ['HEAD', 'GET'].map((method) => headOf(method, target, headers)),
        )
        expect([target, head]).toEqual([target, get])
      }
    }
  })
})
