/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'

/** More lines than these scroll; the style sheet has the same number. */
const linesShown = 20

/** A code block with its strings and comments marked for colours. */
export function codeBlock(label: string, code: string, className?: string): Markup {
  const isLong = code.split('\n').length > linesShown
  return textBlock(label, highlight(code), className ?? (isLong ? 'long' : undefined))
}

/** Preformatted text. Where it is longer than its box, that scrolls, with a keyboard too. */
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
