/** @jsxImportSource #jsx */
import { type Static, Type } from '@sinclair/typebox'
import { isWithin } from '../../src/lib/clock.ts'
import { choice } from '../../src/lib/fields.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { Steps } from '../../src/store/database.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import type { AdminDeps } from '../deps.ts'
import { keyNames, narrowForm, submitButton } from '../parts/elements.tsx'
import { adminPage, adminResponse, invalidForm, notFound, redirect } from '../parts/layout.tsx'
import type { AdminRequest, FormRequest, Session } from '../session/guard.ts'
import { createKeyChanges, type KeyChange } from './key-changes.ts'
import type { KeyMistake, rotationForm } from './key-fields.ts'
import { newKeyPage } from './key-page.tsx'

export const upgradeQuery = Type.Object({
  off: Type.Optional(choice(['', '1'], { description: 'Ends the upgrade' })),
})

/** The actions on one key. Each adds an audit entry and redirects to the key's page, which shows a new secret once. */
export function createKeyActions(deps: AdminDeps, oneTimeSecrets: OneTimeSecrets) {
  const { store, brands } = deps
  const changes = createKeyChanges({
    ...deps,
    brandFault(reference) {
      const resolved = brands.cards.resolve(reference)
      return typeof resolved === 'string' ? resolved : undefined
    },
  })

  async function refuse(mistake: string, { params: { id = '' } }: AdminRequest): Promise<Response> {
    // The refusal is not thrown, because a change calls this within its transaction, which does not wait for it.
    const isKey = (await store.keys.find(id)) !== undefined
    const refusal = isKey
      ? invalidForm('keys', mistake, `/admin/keys/${id}`)
      : notFound('keys', 'There is no such key.')
    return refusal.answer(deps)
  }

  async function refuseNew(mistake: string, { sent }: AdminRequest): Promise<Response> {
    return adminResponse(await newKeyPage(deps, sent, mistake), 400)
  }

  function change<Query, Form>(
    work: (request: AdminRequest<Query, Form>, id: string) => Steps<KeyChange | KeyMistake | undefined>,
    refuseMistake = refuse,
  ) {
    return function* (request: AdminRequest<Query, Form>): Steps<Response | Promise<Response>> {
      const outcome = yield* work(request, request.params['id'] ?? '')
      if (outcome === undefined) throw notFound('keys', 'There is no such key.')
      if ('mistake' in outcome) return refuseMistake(outcome.mistake, request)
      const { key, action, detail, secret } = outcome
      yield* request.audit(action, key.id, detail)
      if (secret !== undefined) yield* oneTimeSecrets.allow(request.session, key.id)
      return redirect(`/admin/keys/${key.id}`)
    }
  }

  return {
    refuse,
    refuseNew,
    create: change<unknown, object>(({ form }) => changes.create(form), refuseNew),
    set: (action: string) => change<unknown, object>(({ form }, id) => changes.set(id, action, form)),
    rotate: change(({ form }: FormRequest<typeof rotationForm>, id) => changes.rotate(id, form)),
    revoke: change((_, id) => changes.revoke(id)),
    restore: change((_, id) => changes.restore(id)),
    upgrade: change(({ query: { off } }: AdminRequest<Static<typeof upgradeQuery>>, id) =>
      changes.upgrade(id, off !== undefined),
    ),
  }
}

const secretMs = 600_000

export type OneTimeSecrets = ReturnType<typeof createOneTimeSecrets>

/** Shows a secret once, to the session that made it. The store holds the permission: another process may serve the page. */
export function createOneTimeSecrets({ store: { keyValues }, secrets, clock }: AdminDeps) {
  function entryName(keyId: string) {
    return `reveal ${keyId}`
  }
  return {
    allow: ({ id }: Session, keyId: string) => keyValues.set(entryName(keyId), `${id} ${clock.now()}`),
    async take(session: Session, key: KeyRow): Promise<string | undefined> {
      const entry = (await keyValues.get(entryName(key.id))) ?? ''
      const [sessionId, atMs] = entry.split(' ')
      if (sessionId !== session.id) return undefined
      // `removeIf` succeeds for one caller only, even when several servers ask at the same moment.
      if (!(await keyValues.removeIf(entryName(key.id), entry))) return undefined
      return isWithin(Number(atMs), clock.now(), secretMs) ? secrets.secretOf(key.id, key.version) : undefined
    },
  }
}

const revokedMax = 1000
const namesMax = 20

export const revocationForm = Type.Object({
  search: Type.Optional(Type.String({ maxLength: 100 })),
  id: Type.Array(Type.String(), { maxItems: revokedMax }),
  sure: Type.Boolean({ default: false }),
})

type RevocationRequest = FormRequest<typeof revocationForm>

export function createBulkRevoke(deps: AdminDeps) {
  const { keys, store, clock } = deps

  function* selectKeys({ form: { search, id: ids } }: RevocationRequest): Steps<readonly KeyRow[]> {
    if (search) return yield* store.keyList.search(search, revokedMax)
    const found: KeyRow[] = []
    for (const id of ids) {
      const key = yield* keys.find(id)
      if (key !== undefined) found.push(key)
    }
    return found
  }

  return function* (request: RevocationRequest): Steps<Response | Promise<Markup>> {
    const list = (yield* selectKeys(request)).filter(({ revokedAtMs }) => revokedAtMs === null)
    if (list.length === 0) return redirect('/admin/keys')
    if (!request.form.sure) return revokeKeysPage(deps, list)
    const atMs = clock.now()
    for (const { id } of list) {
      yield* store.keys.update(id, { revokedAtMs: atMs })
      yield* request.audit('key.revoke', id, list.length === 1 ? '' : `one of ${list.length} at once`)
    }
    return redirect('/admin/keys?status=revoked')
  }
}

function revokeKeysPage(deps: AdminDeps, keys: readonly KeyRow[]): Promise<Markup> {
  const those = keys.length === 1 ? 'this key' : `these ${formatCount(keys.length)} keys`
  return adminPage(
    deps,
    { title: `Revoke ${those}?`, section: 'keys' },
    narrowForm(
      '/admin/keys/revoke',
      [
        keyNames(keys.slice(0, namesMax), keys.length),
        keys.map(({ id }) => <input type="hidden" name="id" value={id} />),
        <p class="hint">
          Their calls are refused from the next one on. Every page that embeds their URLs shows broken images.
          A key can be restored on its page.
        </p>,
      ],
      '/admin/keys',
      submitButton(`Revoke ${those}`, 'btn danger', { name: 'sure', value: '1' }),
    ),
  )
}
