/** @jsxImportSource #jsx */
import { hasEnded, keyDaysMax } from '../../src/access/keys.ts'
import { readOverQuota } from '../../src/access/over-quota.ts'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import { dayMs } from '../../src/lib/clock.ts'
import { formatCount, formatDay, formatTime, formatTimeLeft } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { chart } from '../../src/site/parts/chart.tsx'
import type { KeyRow } from '../../src/store/keys.ts'
import { retryWhileLocked } from '../../src/store/store-error.ts'
import type { AdminDeps } from '../deps.ts'
import { auditTable } from '../lists/audit.tsx'
import { type KeyDays, keyStatus, readKeyDays, revokeForm } from '../lists/keys.tsx'
import { sharedCardList, sumShares } from '../lists/shares.tsx'
import { endpointName } from '../lists/usage.tsx'
import {
  barCard,
  limitText,
  linkButton,
  narrowForm,
  panel,
  postForm,
  statRow,
  submitButton,
} from '../parts/elements.tsx'
import { type FormField, field, ticks } from '../parts/fields.tsx'
import { adminPage, notFound, problemNote } from '../parts/layout.tsx'
import type { AdminRequest, Session } from '../session/guard.ts'
import { inputTexts, type KeyForm, keyForms, keyInputs, overlapHours, rotationForm } from './key-fields.ts'
import labels from './key-forms.json' with { type: 'json' }
import { copyRow, secretNote } from './secret-note.tsx'

const auditRows = 20
const cardsShown = 5

/** `/admin/keys/:id`. `takeSecret` returns a secret that was made just now, once, to the session that made it. */
export async function keyPage(
  deps: AdminDeps,
  { params, context, session }: AdminRequest,
  takeSecret: (session: Session, key: KeyRow) => Promise<string | undefined>,
): Promise<Markup> {
  const key = await deps.keys.find(params['id'] ?? '')
  if (!key) throw notFound('keys', 'There is no such key.')
  // HEAD shows no page, so it must not use up the one time that the secret is shown.
  const secret = context.method === 'GET' ? await retryWhileLocked(() => takeSecret(session, key)) : undefined
  const days = await readKeyDays(deps, key)
  return adminPage(
    deps,
    {
      title: key.name || 'Untitled',
      section: 'keys',
      note: keyStatus(key, days),
      lead: <code>{key.id}</code>,
      buttons: [
        linkButton('#quota', 'Change quota'),
        linkButton('#rotate', 'Rotate secret'),
        revokeForm(key, 'btn'),
      ],
    },
    [
      secret !== undefined && (await secretNote(context.baseUrl, key, secret)),
      await keyStats(deps, key, days),
      await keyChart(deps, key, days),
      formPanels(key, deps.clock.now()),
      await keyShares(deps, key.id, days),
      brandsPanel(key.id, deps.brands.list()),
      panel('Audit log', auditTable(await deps.store.audit.about(key.id, auditRows))),
    ],
  )
}

async function keyStats({ store, clock, drawingShares }: AdminDeps, key: KeyRow, days: KeyDays) {
  const { previousUntilMs, version, createdAtMs } = key
  const overlaps = previousUntilMs !== null && previousUntilMs > clock.now()
  const drawings = await drawingShares.read(key.id, days.limit)
  return statRow([
    ['Used today', formatCount(days.usedToday), limitText(days.limit)],
    ['Drawings today', formatCount(drawings.used), limitText(drawings.limit)],
    ['Last 30 days', formatCount(days.calls.reduce((sum, count) => sum + count, 0)), 'calls'],
    ['Over quota', formatCount(await readOverQuota(store.usage, key.id, days.today)), 'link previews'],
    ['Signed URLs', formatCount(await store.signedAddresses.count(key.id)), 'answered'],
    [
      'Secret',
      `v${version}`,
      overlaps ? `v${version - 1} until ${formatTime(previousUntilMs).slice(5, 16)}` : undefined,
    ],
    ['Created', formatDay(createdAtMs), lifeOf(key, clock.now())],
  ])
}

function lifeOf(key: KeyRow, nowMs: number): string {
  const { createdAtMs, expiresAtMs } = key
  const year = new Date(expiresAtMs ?? createdAtMs).getUTCFullYear()
  if (expiresAtMs === null) return String(year)
  return `${hasEnded(key, nowMs) ? 'ended' : 'ends'} ${formatDay(expiresAtMs)} ${year}`
}

async function keyChart({ store }: AdminDeps, key: KeyRow, days: KeyDays): Promise<Markup> {
  const { calls, firstDay } = days
  const history = await store.usage.history(`key:${key.id}`, firstDay - calls.length, firstDay - 1)
  const before = new Map(history.map(({ day, used }) => [day + calls.length, used]))
  return chart({
    title: 'Calls per day',
    series: [{ name: 'Calls', tone: 's1' }],
    periods: calls.map((count, index) => ({
      label: formatDay((firstDay + index) * dayMs),
      values: [count],
      before: before.get(firstDay + index) ?? 0,
    })),
    counted: 'calls',
    span: `${calls.length} days`,
    empty: 'No calls in the last 30 days. A call shows here as soon as it is counted.',
  })
}

async function keyShares({ store }: AdminDeps, keyId: string, { firstDay, today }: KeyDays): Promise<Markup> {
  const sums = sumShares(await store.shares.days(keyId, firstDay, today), firstDay, today)
  const cards = await store.shares.cards(keyId, firstDay, cardsShown)
  const empty = 'No previews yet. Networks fetch a card when its page is shared.'
  return (
    <div class="cols">
      {barCard('Shares by network, 30 days', sums.byNetwork, empty)}
      {panel(
        'Most fetched URLs, 30 days',
        cards.length === 0 ? <p class="muted small">{empty}</p> : sharedCardList(keyId, cards),
        cards.length > 0 && linkButton(`/admin/shares?key=${keyId}`, 'All'),
      )}
    </div>
  )
}

function input(name: string, value: string, attributes: FormField['attributes'] = {}): Child {
  const found = keyInputs.get(name)
  if (found === undefined) return undefined
  const boxes = found.schema?.['items']?.enum as readonly string[] | undefined
  if (boxes === undefined)
    return field({ ...found, attributes: { ...found.attributes, ...attributes } }, value)
  const ticked = value.split(', ')
  return (
    <fieldset class="plain" aria-describedby={`${name}-hint`}>
      <legend>{found.label}</legend>
      {ticks(
        name,
        boxes.map((box) => ({
          value: box,
          label: endpointName({ endpoint: box }),
          isTicked: ticked.includes(box),
        })),
      )}
      <p class="hint" id={`${name}-hint`}>
        {found.hint}
      </p>
    </fieldset>
  )
}

function inputsOf(forms: readonly KeyForm[], typed: (name: string) => string): Child {
  return forms.map(({ inputs }) => {
    const names = Object.keys(inputs)
    if (names.length === 1) return names.map((name) => input(name, typed(name)))
    const rows = Map.groupBy(names, (name) => Math.floor(names.indexOf(name) / 3))
    return [...rows.values()].map((row) => (
      <div class="three">{row.map((name) => input(name, typed(name)))}</div>
    ))
  })
}

/** Forms whose inputs come first, and say what an empty one means. */
const firstForms: ReadonlySet<string> = new Set(['rename', 'quota', 'expires'])

function formPanels(key: KeyRow, nowMs: number): Child {
  const path = `/admin/keys/${key.id}`
  const isUnlimited = key.unlimitedUntilMs !== null && key.unlimitedUntilMs > nowMs
  const texts = inputTexts(key)
  function typed(name: string): string {
    return texts[name] ?? ''
  }
  function line(action: string, control: Child, button: string, id?: string): Markup {
    return postForm(`${path}/${action}`, [control, submitButton(button)], {
      class: 'field row',
      ...(id && { id }),
    })
  }
  return [
    <div class="cols">
      {formPanel('Key', `${path}/save`, [
        input('name', key.name),
        input('quota', typed('quota'), { placeholder: 'the default quota' }),
        input('assets', typed('assets')),
        input('notes', typed('notes')),
      ])}
      {panel(
        'End, secret and upgrade',
        <div class="form">
          {line(
            'expires',
            input('expires', '', { placeholder: `1 to ${keyDaysMax}`, required: true }),
            'Set end',
          )}
          {endLine(key, nowMs)}
          {line('rotate', overlapField(), 'Rotate secret', 'rotate')}
          {line(
            'rotate',
            [
              <input type="hidden" name="leaked" value="1" />,
              field({ name: 'since', label: labels.leaked, schema: rotationForm.properties.since }),
            ],
            'Revoke and rotate',
          )}
          <p class="hint">
            Ends the secret at once, with every URL that was first counted under it, or those since that day.
          </p>
          {postForm(
            isUnlimited ? `${path}/upgrade?off=1` : `${path}/upgrade`,
            [
              <p class="hint">
                {isUnlimited
                  ? 'It has no quota. Ending the upgrade brings the quota back.'
                  : 'Removes the daily quota, as a payment would.'}
              </p>,
              submitButton(isUnlimited ? 'End upgrade' : 'Upgrade'),
            ],
            { class: 'line row' },
          )}
        </div>,
      )}
    </div>,
    formPanel('Site', `${path}/site`, [siteId(key), inputsOf(keyForms.get('site') ?? [], typed)]),
  ]
}

function formPanel(title: string, action: string, inputs: Child): Markup {
  const button = <div>{submitButton(`Save ${title.toLowerCase()}`)}</div>
  return panel(title, postForm(action, [inputs, button], { class: 'form' }))
}

function overlapField(): Markup {
  return (
    <label>
      Old secret still accepted
      <select name="overlap">
        {overlapHours.map((hours) => (
          <option value={hours}>{labels.overlap[hours]}</option>
        ))}
      </select>
    </label>
  )
}

function endLine(key: KeyRow, nowMs: number): Markup {
  const hint = <p class="hint">{describeEnd(key, nowMs)}</p>
  if (key.expiresAtMs === null) return hint
  return postForm(
    `/admin/keys/${key.id}/expires`,
    [hint, <input type="hidden" name="expires" value="" />, submitButton('Never expire')],
    { class: 'line row' },
  )
}

function describeEnd(key: KeyRow, nowMs: number): string {
  const { expiresAtMs } = key
  if (expiresAtMs === null) return 'Never expires.'
  const time = `${formatTime(expiresAtMs).slice(0, 16)} UTC`
  if (hasEnded(key, nowMs))
    return `Expired on ${time}: every use is refused. A later date makes it valid again.`
  return `Expires on ${time}, in ${formatTimeLeft(expiresAtMs - nowMs)}. After that every use is refused.`
}

function siteId({ siteId: id, hosts: named }: KeyRow): Child {
  if (id === null)
    return <p class="muted">No hosts. Name some to show cards of their pages without a signature.</p>
  return [
    <dl class="secret">{copyRow('Site id', 'site-id', id)}</dl>,
    named === '' && <p class="hint">It names no host now, so no page has a card by this id.</p>,
  ]
}

function brandsPanel(keyId: string, brands: readonly BrandEntry[]): Markup {
  const listed = brands.filter(
    ({ access, archivedAtMs, keyIds }) =>
      keyIds.has(keyId) || (access === 'keys' && archivedAtMs === undefined),
  )
  const none = (
    <p class="muted">
      No restricted brands. This key can use every brand. <a href="/admin/brands">Brands</a>
    </p>
  )
  const boxes = listed.map(({ slug, name: brandName, access, archivedAtMs, keyIds }) => {
    const state = archivedAtMs !== undefined ? ' archived' : access === 'everyone' ? ' for everyone now' : ''
    return {
      value: slug,
      label: [
        <span dir="auto">{brandName}</span>,
        ' ',
        <code class="muted">{slug}</code>,
        state && <span class="muted small">{state}</span>,
      ],
      isTicked: keyIds.has(keyId),
    }
  })
  const form = postForm(
    `/admin/keys/${keyId}/brands`,
    [
      <p class="hint">Only restricted brands are listed. Every key can use the others.</p>,
      ticks('slug', boxes),
      <div>{submitButton('Save brands')}</div>,
    ],
    { class: 'form' },
  )
  return panel('Brands', listed.length === 0 ? none : form, undefined, 'brands')
}

export function newKeyPage(deps: AdminDeps, sent?: URLSearchParams, problem?: string): Promise<Markup> {
  function typed(name: string): string {
    return sent?.getAll(name).join(', ') ?? ''
  }
  const others = [...keyForms].flatMap(([action, forms]) => (firstForms.has(action) ? [] : forms))
  return adminPage(
    deps,
    { title: 'New key', section: 'keys' },
    narrowForm(
      '/admin/keys',
      [
        problemNote(problem),
        input('name', typed('name'), { required: true, placeholder: 'docs.example.com' }),
        input('quota', typed('quota'), { placeholder: `${deps.config.KEY_DAILY_QUOTA}, the default quota` }),
        input('expires', typed('expires'), { placeholder: 'never' }),
        inputsOf(others, typed),
        <p class="hint">
          The secret is shown once, on the next page. It is not stored: it can be rotated, never read back.
        </p>,
      ],
      '/admin/keys',
      submitButton('Create key', 'btn primary'),
    ),
  )
}
