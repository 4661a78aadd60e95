/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { highlight } from '../playground/snippet-tabs.tsx'

/** A code block that scrolls sideways, with a keyboard too. */
export function codeBlock(label: string, code: string): Markup {
  return (
    <pre tabindex="0" role="region" aria-label={label}>
      {highlight(code)}
    </pre>
  )
}
