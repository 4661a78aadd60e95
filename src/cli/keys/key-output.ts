import type { KeyChange } from '../../../admin/keys/key-changes.ts'
import { isoTimeOf } from '../../../admin/lists/csv.ts'
import { assetsOf } from '../../access/key-assets.ts'
import { hostsOf } from '../../access/key-hosts.ts'
import { keyLookOf } from '../../access/key-look.ts'
import { keyFault } from '../../access/key-validity.ts'
import { systemClock } from '../../lib/clock.ts'
import type { KeyRow } from '../../store/keys.ts'

/**
 * A key as `--json` prints it. Times are ISO 8601, null for never; a null quota is the default quota, and null assets are
 * all of them.
 */
export function keyJson(key: KeyRow, nowMs: number) {
  return {
    id: key.id,
    name: key.name,
    status: statusOf(key, nowMs),
    quota: key.dailyQuota,
    created_at: isoTimeOf(key.createdAtMs),
    expires_at: isoTimeOf(key.expiresAtMs),
    revoked_at: isoTimeOf(key.revokedAtMs),
    unlimited_until: isoTimeOf(key.unlimitedUntilMs),
    secret_version: key.version,
    site: key.siteId,
    hosts: hostsOf(key),
    look: keyLookOf(key),
    assets: assetsOf(key) ?? null,
    notes: key.notes,
  }
}

/** A change as the commands print it. */
export function changeText({ key, secret }: KeyChange, asJson: boolean): string {
  const { id, ...shown } = keyJson(key, systemClock.now())
  return valuesText({ id, ...(secret !== undefined && { secret }), ...shown }, asJson)
}

/** Values of a key, as JSON or in two columns. */
export function valuesText(values: Readonly<Record<string, unknown>>, asJson: boolean): string {
  return asJson ? JSON.stringify(values, null, 2) : keyText(values)
}

/** One line of a list. */
export function keyLine(key: KeyRow, nowMs: number): string {
  const { id, name, dailyQuota } = key
  return `${id}  ${statusOf(key, nowMs).padEnd(7)}  ${quotaText(dailyQuota).padEnd(13)}  ${name}`.trimEnd()
}

/** Names and values in two columns, those without a value left out. */
export function keyText(values: Readonly<Record<string, unknown>>): string {
  const rows = Object.entries(values).flatMap(([name, value]) => {
    const text = valueText(name, value)
    return text === '' ? [] : `${name.replaceAll('_', ' ').padEnd(16)}${text}`
  })
  return rows.join('\n')
}

function valueText(name: string, value: unknown): string {
  if (name === 'quota') return quotaText(value)
  if (Array.isArray(value)) return value.map((each) => valueText('', each)).join(', ')
  if (typeof value !== 'object') return String(value)
  const parts = Object.entries(value ?? {})
  return parts.map(([part, of]) => (part === 'day' ? of : `${part} ${of}`)).join(' ')
}

function quotaText(quota: unknown): string {
  return typeof quota === 'number' ? `${quota} a day` : 'default quota'
}

function statusOf(key: KeyRow, nowMs: number): 'active' | 'revoked' | 'ended' {
  const fault = keyFault(key, nowMs)
  return fault === undefined ? 'active' : fault === 'revoked_key' ? 'revoked' : 'ended'
}
