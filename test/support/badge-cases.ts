import { existsSync, readFileSync } from 'node:fs'

/** One request with what must be true of the answer; the file's `vocabulary` explains the checks. */
export interface BadgeCase {
  readonly id: string
  readonly why?: string
  readonly query: Readonly<Record<string, string>>
  readonly noDemo?: boolean
  readonly expect: {
    readonly status: number
    readonly contentType?: string
    readonly wellFormed?: boolean
    readonly width?: number
    readonly height?: number
    readonly title?: string
    readonly ariaLabel?: string
    readonly contains?: readonly string[]
    readonly notContains?: readonly string[]
    readonly minContrast?: number
    readonly noTextLength?: boolean
    readonly rtl?: readonly ('label' | 'value')[]
    readonly maxWidth?: number
    readonly minWidth?: number
    readonly maxBytes?: number
    readonly json?: Readonly<Record<string, unknown>>
    readonly jsonHas?: readonly string[]
    readonly onlyKeys?: readonly string[]
    readonly header?: Readonly<Record<string, string>>
    readonly sameBytesAs?: string
    readonly noId?: string
    readonly png?: readonly [number, number]
    readonly problem?: { readonly code: string; readonly parameter: string }
  }
}

const shared = new URL('../../../shared/cases/badges.json', import.meta.url)
const own = new URL('../fixtures/badges.json', import.meta.url)

export const badgeCases: readonly BadgeCase[] = JSON.parse(
  readFileSync(existsSync(shared) ? shared : own, 'utf8'),
).cases
