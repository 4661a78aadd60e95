import { forever, type KeyPair } from '../../src/access/keys.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import type { AdminDeps } from '../deps.ts'
import { invalidFormPage } from '../pages/invalid-form.tsx'
import { type NewKeyForm, newKeyPage } from '../pages/new-key.tsx'
import { notFoundPage } from '../pages/not-found.tsx'
import type { AdminRequest } from '../session/admin-request.ts'
import type { OneTimeSecrets } from '../session/one-time-secrets.ts'

const quotaMax = 1_000_000_000
const quotaRule = 'The quota is a whole number from 0 to 1,000,000,000.'
const nameLengthMax = 80
/** Hours that the old secret is still accepted; the first is what an empty form means. */
export const overlapHours = [24, 0, 1, 168] as const

/** What the operator does to one key. Each leaves an audit entry and answers 303. */
export function createKeyActions(deps: AdminDeps, oneTimeSecrets: OneTimeSecrets) {
  const { keys, store, config, clock } = deps
  function path(id: string) {
    return `/admin/keys/${id}`
  }

  function redirectToSecret(request: AdminRequest, { key }: KeyPair): Response {
    oneTimeSecrets.allow(request.session, key.id)
    return redirect(path(key.id))
  }

  /** Does one thing to the key that the path names. `work` answers itself where it changes nothing. */
  function change(
    action: string,
    work: (id: string, request: AdminRequest) => { readonly detail?: string } | Response | undefined,
  ) {
    return (request: AdminRequest): Response => {
      const id = request.params['id'] ?? ''
      const done = work(id, request)
      if (!done) return notFoundPage(deps, 'keys', 'There is no such key.')
      if (done instanceof Response) return done
      request.audit(action, id, done.detail)
      return redirect(path(id))
    }
  }

  function invalidForm(form: NewKeyForm, problem: string) {
    return adminResponse(newKeyPage(deps, form, problem), 400)
  }

  return {
    create(request: AdminRequest): Response {
      const form = { name: fieldText(request, 'name'), quota: fieldText(request, 'quota') }
      const quota = readQuota(form.quota)
      if (form.name.length > nameLengthMax)
        return invalidForm(form, `A name has at most ${nameLengthMax} characters.`)
      if (quota === undefined) return invalidForm(form, quotaRule)
      const pair = keys.create({ name: form.name, dailyQuota: quota })
      request.audit('key.create', pair.key.id, describeQuota(quota))
      return redirectToSecret(request, pair)
    },
    quota: change('key.quota', (id, request) => {
      const quota = readQuota(fieldText(request, 'quota'))
      if (quota === undefined)
        return store.keys.find(id) && invalidFormPage(deps, 'keys', quotaRule, path(id))
      return keys.setDailyQuota(id, quota) && { detail: describeQuota(quota) }
    }),
    rename: change('key.rename', (id, request) => {
      const name = fieldText(request, 'name').slice(0, nameLengthMax)
      return store.keys.update(id, { name }) && { detail: name }
    }),
    rotate(request: AdminRequest): Response {
      const id = request.params['id'] ?? ''
      const hours =
        overlapHours.find((each) => String(each) === request.form.get('overlap')) ?? overlapHours[0]
      const pair = keys.rotate(id, hours * 3_600_000)
      if (!pair) return notFoundPage(deps, 'keys', 'There is no such key.')
      request.audit('key.rotate', id, `version ${pair.key.version}, the one before for ${hours} h more`)
      return redirectToSecret(request, pair)
    },
    revoke: change('key.revoke', (id) => keys.revoke(id) && {}),
    restore: change('key.restore', (id) => keys.restore(id) && {}),
    upgrade: change('key.upgrade', (id, { query }) => {
      if (query.has('off')) return keys.upgrade(id, null) && { detail: 'ended' }
      const days = config.UPGRADE_DAYS
      const untilMs = days === 0 ? forever : clock.now() + days * dayMs
      return keys.upgrade(id, untilMs) && { detail: days === 0 ? 'for good' : `${days} days` }
    }),
  }
}

function fieldText({ form }: AdminRequest, name: string): string {
  return (form.get(name) ?? '').trim()
}

function describeQuota(quota: number | null): string {
  return quota === null ? 'general quota' : `${quota} a day`
}

/** Null: the general quota. Undefined: no quota at all. */
function readQuota(text: string): number | null | undefined {
  if (text === '') return null
  if (!/^\d{1,10}$/.test(text)) return undefined
  return Number(text) <= quotaMax ? Number(text) : undefined
}
