import { Elysia } from 'elysia'
import { retryWhileLocked } from '../src/store/retry-while-locked.ts'
import type { AdminHandler, RoutedRequest } from './session/admin-request.ts'
import type { SessionGuard } from './session/session-guard.ts'

/** Registers handlers behind the session guard. */
export function createAdminRouter(
  guard: SessionGuard,
  requireFreshPassword: (question: string, handler: AdminHandler) => AdminHandler,
) {
  const router = new Elysia({ name: 'admin' })

  function page(path: string, handler: AdminHandler): void {
    const respond = guard.page(handler)
    router.get(path, (routed: RoutedRequest) => respond(routed))
  }

  function action(path: string, handler: AdminHandler): void {
    const respond = guard.action(handler)
    router.post(path, (routed: RoutedRequest) => respond(routed), { parse: 'none' })
  }

  /** An action that runs in one transaction. */
  function change(path: string, handler: Parameters<typeof guard.inTransaction>[0]): void {
    action(path, guard.inTransaction(handler))
  }

  /** A file by GET, or by POST from the page that asks for the password. Adds an audit entry. */
  function download(path: string, handler: AdminHandler): void {
    const confirmed = requireFreshPassword(
      'Data in bulk leaves only with a fresh password.',
      async (request) => {
        await retryWhileLocked(() => request.audit('export', request.context.path))
        return handler(request)
      },
    )
    page(path, confirmed)
    action(path, confirmed)
  }

  return { router, page, action, change, download }
}
