import type { RequestContext } from '../../src/http/request-context.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { Session } from './sessions.ts'

/** A request of a logged-in operator: what every page and action is called with. */
export interface AdminRequest {
  readonly context: RequestContext
  readonly session: Session
  readonly query: URLSearchParams
  /** The body of a POST; empty for a GET. */
  readonly form: URLSearchParams
  /** Parameters of the path, for example `id`. */
  readonly params: Readonly<Record<string, string>>
  /** Adds an entry to the audit log. Callers pass no secrets. HEAD changes nothing, so it adds nothing. */
  audit(action: string, subject: string, detail?: string): void
}

export type AdminHandler = (request: AdminRequest) => Markup | Response | Promise<Markup | Response>
