/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'

/** A code block with its strings and comments marked for colours. */
export function codeBlock(label: string, code: string, className?: string): Markup {
  return textBlock(label, highlight(code), className)
}

/** Preformatted text that scrolls sideways, with a keyboard too. */
export function textBlock(label: string, text: Child, className?: string): Markup {
  return (
    <pre class={className} tabindex="0" role="region" aria-label={label}>
      {text}
    </pre>
  )
}

function highlight(code: string): readonly (Markup | string)[] {
  return code
    .split(/("[^"\n]*"|(?:^|(?<=\n))(?:\/\/|#) .*)/)
    .map((part, index) =>
      index % 2 === 1 ? <span class={part.startsWith('"') ? 's' : 'c'}>{part}</span> : part,
    )
}
