import { Type } from '@sinclair/typebox'
import { Problem } from '../../src/errors.ts'
import { backupWithPostgres } from '../../src/store/backup.ts'
import type { Steps } from '../../src/store/operation.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import type { AdminRequest, FormRequest } from '../session/admin-request.ts'
import { type Sessions, sessionNameOf } from '../session/sessions.ts'

export const sessionForm = Type.Object({ session: Type.String({ default: '' }) })

/** Actions on payments, backups and sessions. Each adds an audit entry and answers 303. */
export function createMaintenanceActions(
  { payments, paymentsMonitor, backup }: AdminDeps,
  sessions: Sessions,
) {
  return {
    async recheckPayment(request: AdminRequest): Promise<Response> {
      const id = request.params['id'] ?? ''
      await payments?.reconcile()
      await payments?.recheck(id)
      await retryWhileLocked(() => request.audit('payment.recheck', id))
      return redirect(`/admin/payments/${encodeURIComponent(id)}`)
    },
    async checkPayments(request: AdminRequest): Promise<Response> {
      await paymentsMonitor.refresh()
      await retryWhileLocked(() => request.audit('payments.check', ''))
      return redirect('/admin/settings')
    },
    async backUp(request: AdminRequest): Promise<Response> {
      if (backup === undefined) throw new Problem('not_found', backupWithPostgres)
      const path = await backup()
      await retryWhileLocked(() => request.audit('backup', '', path))
      return redirect('/admin/settings')
    },
    *endSession(request: FormRequest<typeof sessionForm>): Steps<Response> {
      const { session: id } = request.form
      if (yield* sessions.end(id)) yield* request.audit('session.end', sessionNameOf(id))
      return redirect('/admin/settings')
    },
    *endOtherSessions(request: AdminRequest): Steps<Response> {
      const others = (yield* sessions.list()).filter(({ id }) => id !== request.session.id)
      for (const { id } of others) yield* sessions.end(id)
      yield* request.audit('session.end', '', `${others.length} others`)
      return redirect('/admin/settings')
    },
  }
}
