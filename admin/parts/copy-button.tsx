/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'

/** Copies the text of an element. Hidden by the style sheet until the script that it needs runs. */
export function copyButton(elementId: string, label?: string): Markup {
  return (
    <button class="btn copy" type="button" data-copy={elementId} aria-label={label}>
      {icon('copy')}
      <span>Copy</span>
    </button>
  )
}
