/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { type Column, tableHead } from '../../src/site/parts/table-head.tsx'

export interface ScrollTableInput {
  readonly label: string
  readonly columns: readonly Column[]
  readonly rows: Child
  /** `log stack` shows each row as a card on narrow screens. */
  readonly class: 'log' | 'log stack' | 'log keys'
  /** Path of an event stream whose events are further rows. */
  readonly feed?: string
}

/** A table that scrolls sideways by itself; the region makes that possible with a keyboard. */
export function scrollTable({ label, columns, rows, class: tableClass, feed }: ScrollTableInput): Markup {
  return (
    <div class="scroll" tabindex="0" role="region" aria-label={label} data-feed={feed}>
      <table class={tableClass}>
        {tableHead(columns)}
        <tbody>{rows}</tbody>
      </table>
    </div>
  )
}
