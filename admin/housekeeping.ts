import { retryWhileLocked } from '../src/store/retry-while-locked.ts'
import type { AdminDeps } from './deps.ts'
import type { Sessions } from './session.ts'
import { redirect, type Visit } from './session-guard.ts'

/** What the operator does beside keys. Each leaves an audit entry and answers 303. */
export function createHousekeeping({ payments, paymentsWatch, backup }: AdminDeps, sessions: Sessions) {
  return {
    async recheckPayment(visit: Visit): Promise<Response> {
      const id = visit.params['id'] ?? ''
      await payments?.reconcile()
      await payments?.recheck(id)
      await retryWhileLocked(() => visit.audit('payment.recheck', id))
      return redirect(`/admin/payments/${encodeURIComponent(id)}`)
    },
    async checkPayments(visit: Visit): Promise<Response> {
      await paymentsWatch.ask()
      await retryWhileLocked(() => visit.audit('payments.check', ''))
      return redirect('/admin/settings')
    },
    async backUp(visit: Visit): Promise<Response> {
      const path = await backup()
      await retryWhileLocked(() => visit.audit('backup', '', path))
      return redirect('/admin/settings')
    },
    endSession(visit: Visit): Response {
      const id = visit.form.get('session') ?? ''
      if (sessions.end(id)) visit.audit('session.end', id.slice(0, 8))
      return redirect('/admin/settings')
    },
    endOtherSessions(visit: Visit): Response {
      const others = sessions.list().filter(({ id }) => id !== visit.session.id)
      for (const { id } of others) sessions.end(id)
      visit.audit('session.end', '', `${others.length} others`)
      return redirect('/admin/settings')
    },
  }
}
