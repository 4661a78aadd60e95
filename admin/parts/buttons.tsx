/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { type IconName, icon } from '../../src/site/parts/icons.tsx'

/** A link that looks like a button. */
export function linkButton(href: string, label: Child, kind: 'btn' | 'btn primary' = 'btn'): Markup {
  return (
    <a class={kind} href={href}>
      {label}
    </a>
  )
}

interface Segment {
  readonly href: string
  readonly label: string
  readonly isCurrent: boolean
}

/** Links of which one is the present choice. */
export function segments(label: string, links: readonly Segment[]): Markup {
  return (
    <div class="seg" role="group" aria-label={label}>
      {links.map(({ href, label: text, isCurrent }) => (
        <a href={href} aria-current={isCurrent ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </div>
  )
}

export function iconButton(name: IconName, href: string, label: string, kind?: 'btn primary'): Markup {
  return linkButton(href, [icon(name), label], kind)
}

export function submitButton(label: Child, kind = 'btn'): Markup {
  return (
    <button class={kind} type="submit">
      {label}
    </button>
  )
}

interface FormAttributes {
  readonly class?: 'form' | 'field' | 'line' | 'end'
  readonly id?: string
  /** The script of the pages asks this question before it sends the form. */
  readonly 'data-confirm'?: string | undefined
}

/** A form that sends its fields to an action of ours. */
export function postForm(action: string, fields: Child, attributes: FormAttributes = {}): Markup {
  return (
    <form method="post" action={action} {...attributes}>
      {fields}
    </form>
  )
}
