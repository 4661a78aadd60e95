import { Elysia } from 'elysia'
import { arrivalHeader, arrivalOf } from '../http/guarded-areas.ts'
import { json } from '../http/json.ts'
import { contextOf } from '../http/request-context.ts'
import { operation } from '../site/openapi/operation.ts'

/** Alive: the process answers. No I/O, so that a slow disk gets nobody restarted. */
export function healthz() {
  return new Elysia({ name: 'healthz' }).get(
    '/healthz',
    ({ request }) => {
      const arrival = arrivalOf(contextOf(request))
      return json({ status: 'ok' }, arrival === undefined ? {} : { [arrivalHeader]: arrival })
    },
    operation('machines', 'healthz', 'Alive: the process answers.', { schema: 'Health' }),
  )
}
