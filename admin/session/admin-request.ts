import type { Static, TObject } from '@sinclair/typebox'
import type { RequestContext } from '../../src/http/request-context.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { QueueClient } from '../../src/lib/waiter.ts'
import type { Operation } from '../../src/store/operation.ts'
import type { AuditEntry } from '../../src/store/operator.ts'
import type { AdminDeps } from '../deps.ts'
import type { Session } from './sessions.ts'

/** A request of a logged-in operator: what every page and action is called with. */
export interface AdminRequest<Query = unknown, Form = unknown> {
  readonly context: RequestContext
  readonly session: Session
  /** The parameters that the route declares, validated. */
  readonly query: Query
  /** The fields of the form that the route declares, decoded. */
  readonly form: Form
  /** The body of a POST as the browser sent it, for pages that repeat their form; empty for a GET. */
  readonly sent: URLSearchParams
  /** Parameters of the path, for example `id`. */
  readonly params: Readonly<Record<string, string>>
  /** Adds an entry to the audit log. Callers pass no secrets. Not for HEAD, which changes nothing. */
  audit(action: string, subject: string, detail?: string): Operation<void>
}

/** A request with the fields of a form. */
export type FormRequest<Fields extends TObject> = AdminRequest<unknown, Static<Fields>>

export type AdminHandler<Query = unknown, Form = unknown> = (
  request: AdminRequest<Query, Form>,
) => Markup | Response | Promise<Markup | Response>

/** The argument that the router passes to a handler. */
export interface RoutedRequest<Query = unknown> {
  readonly request: Request
  readonly query: Query
  /** Undefined if the path has no parameters. A parameter is null if its percent-encoding is malformed. */
  readonly params: Readonly<Record<string, string | null>> | undefined
}

export function createAdminRequest<Query, Form>(
  deps: AdminDeps,
  { params, query }: RoutedRequest<Query>,
  { context, session, form, sent }: Pick<AdminRequest<Query, Form>, 'context' | 'session' | 'form' | 'sent'>,
): AdminRequest<Query, Form> {
  return {
    context,
    session,
    query,
    form,
    sent,
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
  return new URLSearchParams(replaceNuls(await request.text()).replaceAll('%00', encodedReplacement))
}

const encodedReplacement = encodeURIComponent('\u{fffd}')

/** SQLite's full-text search ends a query at a NUL, inside its quotes. No stored text has one. */
export function replaceNuls(text: string): string {
  return text.replaceAll('\0', '\u{fffd}')
}

/** Whose turn it is: that of the operator's session. */
export function sessionClient({ session, context }: Pick<AdminRequest, 'session' | 'context'>): QueueClient {
  return { name: session.id, waiter: context.waiter }
}
