/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'
import { linkButton, submitButton } from './buttons.tsx'

/** The card of a list; its heading is for screen readers. */
export function listCard(heading: string, children: Child): Markup {
  return (
    <section class="card" aria-labelledby="list">
      <h2 class="vh" id="list">
        {heading}
      </h2>
      {children}
    </section>
  )
}

interface SearchField {
  readonly value: string
  readonly placeholder: string
  readonly label: string
  readonly minLength?: number
}

/** The bar above a list: search, filters and the button that applies them. */
export function listToolbar(
  action: string,
  { value, placeholder, label, minLength }: SearchField,
  filters: Child,
): Markup {
  return (
    <form class="tools" role="search" action={action} method="get">
      <div class="search">
        {icon('search')}
        <input
          type="search"
          name="q"
          value={value}
          minlength={minLength}
          placeholder={placeholder}
          aria-label={label}
        />
      </div>
      {filters}
      {submitButton('Apply')}
    </form>
  )
}

/** @param options values with their labels */
export function filter(
  { name, label, current, ...attributes }: FilterField,
  options: readonly (readonly [value: string, label: string])[],
): Markup {
  return (
    <select name={name} aria-label={label} {...attributes}>
      {options.map(([value, text]) => (
        <option value={value} selected={value === current}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface FilterField {
  readonly name: string
  readonly label: string
  readonly current: string
  readonly class?: 'wide'
}

/** The foot of a list: links to other pages by their labels, without those that are undefined. */
export function pager(links: Readonly<Record<string, string | undefined>>, beside?: Child): Child {
  const shown = Object.entries(links).filter(([, href]) => href !== undefined)
  if (shown.length === 0 && beside === undefined) return undefined
  return (
    <div class="pager">
      {beside}
      <div class="end">{shown.map(([label, href = '']) => linkButton(href, label))}</div>
    </div>
  )
}

/** Shown in place of a list that has no rows. */
export function emptyList(title: string, children: Child): Markup {
  return (
    <div class="empty">
      <h3>{title}</h3>
      {children}
    </div>
  )
}
