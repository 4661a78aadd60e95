import type { RequestContext } from '../../src/http/request-context.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { AuditEntry } from '../../src/store/audit.ts'
import type { Operation } from '../../src/store/operation.ts'
import type { AdminDeps } from '../deps.ts'
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
  /** Adds an entry to the audit log. Callers pass no secrets. Not for HEAD, which changes nothing. */
  audit(action: string, subject: string, detail?: string): Operation<void>
}

export type AdminHandler = (request: AdminRequest) => Markup | Response | Promise<Markup | Response>

/** The argument that the router passes to a handler. */
export interface RoutedRequest {
  readonly request: Request
  /** Undefined if the path has no parameters. A parameter is null if its percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>> | undefined
}

export function createAdminRequest(
  deps: AdminDeps,
  { params }: RoutedRequest,
  { context, session, form }: Pick<AdminRequest, 'context' | 'session' | 'form'>,
): AdminRequest {
  return {
    context,
    session,
    query: withoutNuls(new URLSearchParams(context.rawQuery)),
    form: withoutNuls(form),
    params: Object.fromEntries(
      Object.entries(params ?? {}).map(([name, value]) => [name, replaceNuls(value ?? '')]),
    ),
    audit: (action, subject, detail = '') =>
      addAudit(deps, context, { actor: session.name, action, subject, detail }),
  }
}

/** Adds an entry about a request to the audit log. */
export function addAudit(
  { store, clock }: AdminDeps,
  { clientAddress: address }: RequestContext,
  entry: Omit<AuditEntry, 'id' | 'atMs' | 'address'>,
): Operation<void> {
  return store.audit.add({ atMs: clock.now(), address, ...entry })
}

/** The fields of a form that was sent as `application/x-www-form-urlencoded`. */
export async function readForm(request: Request): Promise<URLSearchParams> {
  return new URLSearchParams(await request.text())
}

/** SQLite's full-text search ends a query at a NUL, inside its quotes. No stored text has one. */
function withoutNuls(fields: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...fields].map(([name, value]) => [replaceNuls(name), replaceNuls(value)]))
}

function replaceNuls(text: string): string {
  return text.replaceAll('\0', '\u{fffd}')
}
