/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { codeBlock } from './code-block.tsx'
import { icon } from './icons.tsx'

/** A code block with a button that copies it, where scripts run. */
export function copiedCode(label: string, code: string): Markup {
  return (
    <div class="code">
      {codeBlock(label, code)}
      <button class="btn icon copy" type="button" data-copy>
        {icon('copy')}
        <span class="vh">Copy</span>
      </button>
    </div>
  )
}
