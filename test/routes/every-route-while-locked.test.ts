import { afterAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type AdminServer, openAdminServer } from '../admin/support/admin-server.ts'
import { logIn, type Operator, sameOrigin } from '../admin/support/operator.ts'
import { adminKeyId } from '../admin/support/seed-admin.ts'
import { holdLock } from '../support/hold-lock.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { started } from '../support/started.ts'
import cases from './locked-routes.json' with { type: 'json' }

/** Fields for the forms of all actions, so that each one gets as far as its write. */
const form = new URLSearchParams({ ...cases.form, id: adminKeyId(1), key: adminKeyId(2) })

/** Queries that make the metered routes write; the others take no query. */
const queries: Readonly<Record<string, readonly string[]>> = {
  ...cases.queries,
  '/api/usage': [`key=${adminKeyId(4)}`],
}

async function requestsOf(server: AdminServer, { cookie }: Operator) {
  const headers = { cookie, ...sameOrigin }
  const routes = await server.service.routes()
  return routes
    .filter(({ path }) => !path.includes('*') && path !== '/admin/traffic/events')
    .flatMap(({ method, path }) => {
      const url = server.url + path.replace(':id', adminKeyId(3))
      if (method !== 'GET') return [{ method, url, headers, body: form }]
      return (queries[path] ?? ['']).map((query) => ({ method, url: `${url}?${query}`, headers }))
    })
}

/** Pages and files for programs, by what documents say of them. `/readyz` is about the database. */
function isPublicPage(path: string, { detail }: { readonly detail?: object }): boolean {
  if (path === '/readyz') return false
  const tags = detail !== undefined && 'tags' in detail ? String(detail.tags) : ''
  return ['pages', 'machines'].includes(tags) || ['/api/payment-required', '/.well-known/x402'].includes(path)
}

async function askAll(server: AdminServer, operator: Operator) {
  return await Promise.all(
    (await requestsOf(server, operator)).map(async ({ url, ...init }) => {
      const response = await fetch(url, { ...init, redirect: 'manual' })
      const text = await response.text()
      const route = `${init.method} ${new URL(url).pathname}`
      return { route, status: response.status, headers: response.headers, text }
    }),
  )
}

function expectNoneFailed(answers: Awaited<ReturnType<typeof askAll>>): void {
  expect(answers.filter(({ status }) => status === 500).map(({ route }) => route)).toEqual([])
  const busy = answers.filter(({ status }) => status === 503)
  for (const { route, headers, text } of busy) {
    expect([route, Number(headers.get('retry-after')) >= 1]).toEqual([route, true])
    const isPage = route.includes(' /admin')
    const expected = [route, isPage ? 'text/html; charset=utf-8' : 'application/problem+json']
    expect([route, headers.get('content-type')]).toEqual(expected)
    expect(text).not.toContain('mintmark.sqlite')
  }
}

describe('while another process holds the write lock', () => {
  const server = started(() => openAdminServer({ seed: {} }))
  const operator = started(() => logIn(server))

  test('no route answers 500, what writes answers 503 with a reason in the log, and nothing is charged', async () => {
    const before = await remaining(server)
    const lock = await holdLock(join(server.dataDir, 'mintmark.sqlite'))
    const answers = await askAll(server, operator)
    await lock.release()
    expectNoneFailed(answers)
    function statusOf(route: string) {
      return answers.filter((answer) => answer.route === route).map((each) => each.status)
    }
    for (const route of cases.writing) expect([route, ...statusOf(route)]).toEqual([route, 503])
    for (const route of ['GET /api/usage', 'GET /healthz', 'GET /admin/keys', 'GET /status'])
      expect([route, ...statusOf(route)]).toEqual([route, 200])
    expect(await remaining(server)).toBe(before)
    expect(server.log()).toContain('mintmark.sqlite (DATA_DIR) is locked by another process')
  })

  test('what needs no database is answered before a call that waits for the lock gives up', async () => {
    const lock = await holdLock(join(server.dataDir, 'mintmark.sqlite'))
    let isWaiting = true
    const waiting = fetch(`${server.url}/api/og?title=gives+up&demo=1`).finally(() => {
      isWaiting = false
    })
    const paths = (await server.service.routes())
      .filter(({ method, path, hooks }) => method === 'GET' && isPublicPage(path, hooks))
      .map(({ path }) => path)
    expect(paths).toContain('/openapi.json')
    const pages = [...paths, '/no-such-page', '/?title=of+a+visitor', '/?kind=badge&value=of+a+visitor']
    const answers = await Promise.all(
      pages.map(async (path) => [path, (await fetch(server.url + path)).status] as const),
    )
    const wasWaiting = isWaiting
    await lock.release()
    expect(answers.filter(([, status]) => status !== 200)).toEqual([['/no-such-page', 404]])
    expect([wasWaiting, (await waiting).status]).toEqual([true, 200])
  })

  test('every route is back as soon as the lock is let go', async () => {
    const lock = await holdLock(join(server.dataDir, 'mintmark.sqlite'))
    const waiting = fetch(`${server.url}/api/og?title=waits&demo=1`)
    await Bun.sleep(200)
    await lock.release()
    expect((await waiting).status).toBe(200)
  })
})

describe('while the disk is full', () => {
  const disk = mountSmallDisk()
  afterAll(() => disk?.remove())

  test.skipIf(disk === undefined)(
    'no route answers 500, and calls go on when there is room again',
    async () => {
      if (disk === undefined) return
      const server = await openAdminServer({ seed: { keys: 10, days: 2, payments: 5 }, dataDir: disk.path })
      const operator = await logIn(server)
      const before = await remaining(server)
      disk.fill()
      const answers = await askAll(server, operator)
      expectNoneFailed(answers)
      expect(answers.filter(({ route }) => route === 'GET /api/og').map(({ status }) => status)).toEqual([
        503,
      ])
      const ready = await fetch(`${server.url}/readyz`)
      expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('full')])
      disk.empty()
      expect(await remaining(server)).toBe(before)
      expect((await fetch(`${server.url}/api/og?title=again&demo=1`)).status).toBe(200)
      await server.close()
    },
  )
})

async function remaining({ url }: AdminServer): Promise<number> {
  const head = await fetch(`${url}/api/og?title=a&demo=1`, { method: 'HEAD' })
  return Number(head.headers.get('x-quota-remaining'))
}
