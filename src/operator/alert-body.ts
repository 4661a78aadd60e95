import { randomBytes } from 'node:crypto'
import { version } from '../lib/version.ts'
import type { Concern, ConcernKind } from './concern.ts'

interface AlertEvent extends Omit<Concern, 'kind' | 'id'> {
  readonly kind: ConcernKind | 'test'
}

interface AlertContext {
  readonly nowMs: number
  /** Where the operator's pages are; undefined: links are paths. */
  readonly baseUrl: string | undefined
}

/** The JSON that is sent about an event. Its `id` is the same at each attempt, so that a receiver can tell a repetition. */
export function alertBody(
  { kind, level, subject, text, path, values }: AlertEvent,
  { nowMs, baseUrl = '' }: AlertContext,
): string {
  return JSON.stringify({
    id: `al_${randomBytes(12).toString('hex')}`,
    kind,
    level,
    subject,
    text,
    link: baseUrl + path,
    values,
    at: new Date(nowMs).toISOString(),
    version,
  })
}

/** An alert that a test sends. */
export function testAlertBody(context: AlertContext): string {
  const text = 'This is a test: alerts arrive here.'
  return alertBody(
    { kind: 'test', level: 'soon', subject: 'Mintmark', text, path: '/admin', values: {} },
    context,
  )
}
