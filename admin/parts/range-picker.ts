import { choice } from '../../src/lib/fields.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { segments } from './buttons.tsx'

const ranges = ['7', '30', '90', '365'] as const

export const rangeField = choice(ranges, { default: '30', description: 'How many days, up to today' })

/** Links to a page of a range of days. */
export function rangePicker(current: number, hrefOf: (days: number) => string): Markup {
  return segments(
    'Range',
    ranges.map(Number).map((days) => ({
      href: hrefOf(days),
      label: days === 365 ? '1 y' : `${days} d`,
      isCurrent: days === current,
    })),
  )
}
