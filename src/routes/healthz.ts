import { Elysia } from 'elysia'
import { json } from '../http/json.ts'
import { operation } from '../site/openapi/operation.ts'

/** Alive: the process answers. No I/O, so that a slow disk gets nobody restarted. */
export function healthz() {
  return new Elysia({ name: 'healthz' }).get(
    '/healthz',
    () => json({ status: 'ok' }),
    operation('machines', 'healthz', 'Alive: the process answers.', { schema: 'Health' }),
  )
}
