import { keyDaysMax } from '../../src/access/key-validity.ts'
import { utcDay } from '../../src/lib/clock.ts'

export const nameLengthMax = 80
/** Calls per day. */
export const quotaMax = 1_000_000_000
/** Hours for which the old secret is still accepted after a rotation. The first is the default. */
export const overlapHours = [24, 0, 1, 168] as const

/** @returns null for an empty text, which means no end; undefined if the text is no allowed number of days. */
export function parseDays(text: string): number | null | undefined {
  if (text === '') return null
  if (!/^[1-9]\d{0,3}$/.test(text)) return undefined
  return Number(text) <= keyDaysMax ? Number(text) : undefined
}

/** @returns null for an empty text, which means the default quota; undefined if the text is no allowed quota. */
export function parseQuota(text: string): number | null | undefined {
  if (text === '') return null
  if (!/^\d{1,10}$/.test(text)) return undefined
  return Number(text) <= quotaMax ? Number(text) : undefined
}

/** @returns the UTC day of a date such as 2026-11-26; undefined if the text is none. */
export function parseDay(text: string): number | undefined {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : utcDay(ms)
}
