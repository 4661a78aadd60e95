/** @jsxImportSource #jsx */
import { hasEnded } from '../../src/access/key-validity.ts'
import { readOverQuota } from '../../src/access/over-quota.ts'
import { formatCount, formatDay, formatTime } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { retryWhileLocked } from '../../src/store/retry-while-locked.ts'
import { type KeyDays, readKeyDays } from '../data/key-days.ts'
import type { AdminDeps } from '../deps.ts'
import { auditTableOfOne } from '../parts/audit-table.tsx'
import { linkButton } from '../parts/buttons.tsx'
import { panel, statRow } from '../parts/cards.tsx'
import { accessForms } from '../parts/key-access.tsx'
import { keyBrands } from '../parts/key-brands.tsx'
import { keyChart } from '../parts/key-chart.tsx'
import { actionForms, revokeForm, settingForms } from '../parts/key-forms.tsx'
import { keyShares } from '../parts/key-shares.tsx'
import { keySite } from '../parts/key-site.tsx'
import { keyStatus } from '../parts/key-table.tsx'
import { adminPage } from '../parts/layout.tsx'
import { limitText } from '../parts/meter.tsx'
import { secretNote } from '../parts/secret-note.tsx'
import type { AdminRequest } from '../session/admin-request.ts'
import type { OneTimeSecrets } from '../session/one-time-secrets.ts'
import { operatorNotFoundPage } from './refusals.tsx'

const auditRows = 20

/** `/admin/keys/:id`: one key's use, its forms, and its secret if it was made just now. */
export async function keyPage(
  deps: AdminDeps,
  request: AdminRequest,
  oneTimeSecrets: OneTimeSecrets,
): Promise<Markup | Response> {
  const key = await deps.keys.find(request.params['id'] ?? '')
  if (!key) return operatorNotFoundPage(deps, 'keys', 'There is no such key.')
  // HEAD shows no page, so it must not use up the one time that the secret is shown.
  const secret =
    request.context.method === 'GET'
      ? await retryWhileLocked(() => oneTimeSecrets.take(request.session, key))
      : undefined
  const nowMs = deps.clock.now()
  const days = await readKeyDays(deps, key)
  return adminPage(
    deps,
    {
      title: key.name || 'Untitled',
      section: 'keys',
      note: keyStatus(key, days),
      lead: <code>{key.id}</code>,
      actions: [
        linkButton('#quota', 'Change quota'),
        linkButton('#rotate', 'Rotate secret'),
        revokeForm(key, key.name || key.id, 'btn'),
      ],
    },
    [
      secret !== undefined && (await secretNote(request.context.baseUrl, key, secret)),
      await keyStats(deps, key, days),
      await keyChart(deps, key, days),
      <div class="cols">
        {settingForms(key, nowMs)}
        {actionForms(key, nowMs)}
      </div>,
      accessForms(key),
      keySite(key),
      await keyShares(deps, key.id, days),
      keyBrands(key.id, deps.brands.list()),
      panel('Audit log', auditTableOfOne(await deps.store.audit.about(key.id, auditRows))),
    ],
  )
}

async function keyStats(
  { store, clock, drawingShares }: AdminDeps,
  key: KeyRow,
  days: KeyDays,
): Promise<Markup> {
  const { previousUntilMs, version, createdAtMs } = key
  const overlaps = previousUntilMs !== null && previousUntilMs > clock.now()
  const drawings = await drawingShares.read(key.id, days.limit)
  return statRow([
    ['Used today', formatCount(days.usedToday), limitText(days.limit)],
    ['Drawings today', formatCount(drawings.used), limitText(drawings.limit)],
    ['Last 30 days', formatCount(days.calls.reduce((sum, count) => sum + count, 0)), 'calls'],
    ['Over quota today', formatCount(await readOverQuota(store.usage, key.id, days.today)), 'link previews'],
    ['Signed addresses', formatCount(await store.signedAddresses.count(key.id)), 'answered'],
    [
      'Secret',
      `v${version}`,
      overlaps ? `v${version - 1} until ${formatTime(previousUntilMs).slice(5, 16)}` : undefined,
    ],
    ['Created', formatDay(createdAtMs), lifeOf(key, clock.now())],
  ])
}

/** The year in which a key was made, or the day on which it ends. */
function lifeOf(key: KeyRow, nowMs: number): string {
  const { createdAtMs, expiresAtMs } = key
  if (expiresAtMs === null) return yearOf(createdAtMs)
  return `${hasEnded(key, nowMs) ? 'ended' : 'ends'} ${formatDay(expiresAtMs)} ${yearOf(expiresAtMs)}`
}

function yearOf(ms: number): string {
  return String(new Date(ms).getUTCFullYear())
}
