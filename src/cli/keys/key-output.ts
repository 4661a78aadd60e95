import type { KeyChange } from '../../../admin/keys/key-changes.ts'
import { keyJson } from '../../../admin/keys/key-fields.ts'
import { keyFault } from '../../access/key-validity.ts'
import { systemClock } from '../../lib/clock.ts'
import type { KeyRow } from '../../store/keys.ts'

/** A key as `--json` prints it. */
export function printedKey(key: KeyRow, nowMs: number) {
  const { id, name, ...others } = keyJson(key)
  return { id, name, status: statusOf(key, nowMs), ...others }
}

/** A change as the commands print it. */
export function changeText({ key, secret }: KeyChange, asJson: boolean): string {
  const { id, ...shown } = printedKey(key, systemClock.now())
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
