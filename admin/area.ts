import { Elysia } from 'elysia'
import type { Problem } from '../src/errors.ts'
import type { Parts } from '../src/parts.ts'
import { adminAssets } from './assets.ts'
import { createRecentRequests } from './recent-requests.ts'
import { createOperatorPassword } from './session/operator-password.ts'

export type AdminArea = ReturnType<typeof createAdminArea>

/** The operator's area. Its pages are loaded with the first request for one, because they are a fifth of the program. */
export function createAdminArea(parts: Parts) {
  const { store, config, clock } = parts
  const area = {
    password: createOperatorPassword(store, config.ADMIN_PASSWORD),
    recent: createRecentRequests(),
    startedAtMs: clock.now(),
  }
  let app: ReturnType<typeof loadApp> | undefined

  async function loadApp() {
    const [{ createAdminApp }, { createAdminDeps }, service] = await Promise.all([
      import('./app.ts'),
      import('./deps.ts'),
      parts.loadDrawings(),
    ])
    return createAdminApp(createAdminDeps({ ...parts, ...area, service }))
  }

  function load() {
    app ??= loadApp()
    return app
  }

  async function answer({ request }: { readonly request: Request }): Promise<Response> {
    return (await load()).fetch(request)
  }

  return {
    load,
    recent: area.recent,
    startSetup: area.password.startSetup,
    routes: () =>
      new Elysia({ name: 'admin-area' })
        .use(adminAssets.routes())
        .all('/admin', answer, { parse: 'none' })
        .all('/admin/*', answer, { parse: 'none' }),
    /** The forms with files. Their handler reads the body, once it is known who sends it. */
    isBrandForm: (path: string) => /^\/admin\/brands(?:\/[^/]+(?:\/theme(?:\/card)?)?)?$/.test(path),
    busyPage: async (problem: Problem) => (await import('./parts/layout.tsx')).storeBusyPage(problem),
  }
}
