import { keyDaysMax } from '../../src/access/key-validity.ts'
import { forever, type KeyPair } from '../../src/access/keys.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { formatTime } from '../../src/lib/human-format.ts'
import type { Steps } from '../../src/store/operation.ts'
import { adminResponse, redirect } from '../admin-response.ts'
import { nameLengthMax, overlapHours, parseDay, parseDays, parseQuota } from '../data/key-limits.ts'
import type { AdminDeps } from '../deps.ts'
import { type NewKeyForm, newKeyPage } from '../pages/new-key.tsx'
import { invalidFormPage, operatorNotFoundPage } from '../pages/refusals.tsx'
import type { AdminRequest } from '../session/admin-request.ts'
import type { OneTimeSecrets } from '../session/one-time-secrets.ts'

const quotaRule = 'The quota is a whole number from 0 to 1,000,000,000.'
const daysRule = `A key ends after 1 to ${keyDaysMax.toLocaleString('en')} days, as a whole number, or not at all.`
const sinceRule = 'The day is a date such as 2026-11-26, in UTC.'
const hourMs = 3_600_000

/** The actions on one key. Each adds an audit entry and redirects to the key's page. */
export function createKeyActions(deps: AdminDeps, oneTimeSecrets: OneTimeSecrets) {
  return { ...createSecretActions(deps, oneTimeSecrets), ...createKeyChanges(deps) }
}

/** Creation and rotation: the page that they redirect to shows the new secret. */
function createSecretActions(deps: AdminDeps, oneTimeSecrets: OneTimeSecrets) {
  const { keys, clock } = deps

  function* redirectToSecret({ session }: AdminRequest, { key }: KeyPair): Steps<Response> {
    yield* oneTimeSecrets.allow(session, key.id)
    return redirect(pathOf(key.id))
  }

  async function refuse(form: NewKeyForm, problem: string): Promise<Response> {
    return adminResponse(await newKeyPage(deps, form, problem), 400)
  }

  function* create(request: AdminRequest): Steps<Response | Promise<Response>> {
    const form = {
      name: fieldText(request, 'name'),
      quota: fieldText(request, 'quota'),
      expires: fieldText(request, 'expires'),
    }
    const [quota, days] = [parseQuota(form.quota), parseDays(form.expires)]
    if (form.name.length > nameLengthMax)
      return refuse(form, `A name has at most ${nameLengthMax} characters.`)
    if (quota === undefined) return refuse(form, quotaRule)
    if (days === undefined) return refuse(form, daysRule)
    const expiresAtMs = endAfter(days, clock.now())
    const pair = yield* keys.create({ name: form.name, dailyQuota: quota, expiresAtMs })
    const detail =
      expiresAtMs === null ? describeQuota(quota) : `${describeQuota(quota)}, ${namedEnd(expiresAtMs)}`
    yield* request.audit('key.create', pair.key.id, detail)
    return yield* redirectToSecret(request, pair)
  }

  function* rotate(request: AdminRequest): Steps<Response | Promise<Response>> {
    const id = request.params['id'] ?? ''
    if (request.form.get('leaked') === '1') return yield* rotateLeaked(id, request)
    const hours = overlapHours.find((each) => String(each) === request.form.get('overlap')) ?? overlapHours[0]
    const pair = yield* keys.rotate(id, hours * hourMs)
    if (!pair) return keyNotFound(deps)
    yield* request.audit('key.rotate', id, `version ${pair.key.version}, the one before for ${hours} h more`)
    return yield* redirectToSecret(request, pair)
  }

  function* rotateLeaked(id: string, request: AdminRequest): Steps<Response | Promise<Response>> {
    const since = fieldText(request, 'since')
    const sinceDay = since === '' ? 0 : parseDay(since)
    if (sinceDay === undefined)
      return (yield* deps.store.keys.find(id))
        ? invalidFormPage(deps, 'keys', sinceRule, pathOf(id))
        : keyNotFound(deps)
    const pair = yield* keys.rotateLeaked(id, sinceDay)
    if (!pair) return keyNotFound(deps)
    const addresses = since === '' ? 'all its addresses' : `its addresses since ${since}`
    yield* request.audit(
      'key.rotate',
      id,
      `version ${pair.key.version}, the one before leaked: ended with ${addresses}`,
    )
    return yield* redirectToSecret(request, pair)
  }

  return { create, rotate }
}

function createKeyChanges(deps: AdminDeps) {
  const { keys, store, config, clock } = deps

  /** @param work returns the audit entry's detail, a response if it changed nothing, undefined without such a key. */
  function change(
    action: string,
    work: (
      id: string,
      request: AdminRequest,
    ) => Steps<{ readonly detail?: string } | Promise<Response> | undefined>,
  ) {
    return function* (request: AdminRequest): Steps<Response | Promise<Response>> {
      const id = request.params['id'] ?? ''
      const outcome = yield* work(id, request)
      if (!outcome) return keyNotFound(deps)
      if (outcome instanceof Promise) return outcome
      yield* request.audit(action, id, outcome.detail)
      return redirect(pathOf(id))
    }
  }

  return {
    quota: change('key.quota', function* (id, request) {
      const quota = parseQuota(fieldText(request, 'quota'))
      if (quota === undefined)
        return (yield* store.keys.find(id)) && invalidFormPage(deps, 'keys', quotaRule, pathOf(id))
      return (yield* keys.setDailyQuota(id, quota)) && { detail: describeQuota(quota) }
    }),
    expires: change('key.expires', function* (id, request) {
      const days = parseDays(fieldText(request, 'expires'))
      if (days === undefined)
        return (yield* store.keys.find(id)) && invalidFormPage(deps, 'keys', daysRule, pathOf(id))
      const expiresAtMs = endAfter(days, clock.now())
      return (yield* keys.setEnd(id, expiresAtMs)) && { detail: namedEnd(expiresAtMs) }
    }),
    rename: change('key.rename', function* (id, request) {
      const name = fieldText(request, 'name').slice(0, nameLengthMax)
      return (yield* store.keys.update(id, { name })) && { detail: name }
    }),
    revoke: change('key.revoke', function* (id) {
      return (yield* keys.revoke(id)) && {}
    }),
    restore: change('key.restore', function* (id) {
      return (yield* keys.restore(id)) && {}
    }),
    upgrade: change('key.upgrade', function* (id, { query }) {
      if (query.has('off')) return (yield* keys.upgrade(id, null)) && { detail: 'ended' }
      const days = config.UPGRADE_DAYS
      const untilMs = days === 0 ? forever : clock.now() + days * dayMs
      return (yield* keys.upgrade(id, untilMs)) && { detail: days === 0 ? 'for good' : `${days} days` }
    }),
  }
}

function keyNotFound(deps: AdminDeps): Promise<Response> {
  return operatorNotFoundPage(deps, 'keys', 'There is no such key.')
}

function pathOf(id: string): string {
  return `/admin/keys/${id}`
}

function fieldText({ form }: AdminRequest, name: string): string {
  return (form.get(name) ?? '').trim()
}

function describeQuota(quota: number | null): string {
  return quota === null ? 'default quota' : `${quota} a day`
}

function endAfter(days: number | null, nowMs: number): number | null {
  return days === null ? null : nowMs + days * dayMs
}

function namedEnd(expiresAtMs: number | null): string {
  return expiresAtMs === null ? 'no end' : `ends ${formatTime(expiresAtMs)} UTC`
}
