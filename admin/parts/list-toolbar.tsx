/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { icon } from '../../src/site/parts/icons.tsx'

/** The bar above a list: search, filters and the button that applies them. */
export function listToolbar(action: string, fields: Child): Markup {
  return (
    <form class="tools" role="search" action={action} method="get">
      {fields}
      <button class="btn" type="submit">
        Apply
      </button>
    </form>
  )
}

export interface SearchField {
  readonly value: string
  readonly placeholder: string
  readonly label: string
  readonly minLength?: number
}

export function searchField({ value, placeholder, label, minLength }: SearchField): Markup {
  return (
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
  )
}

export function option(value: string, label: string, current: string): Markup {
  return (
    <option value={value} selected={value === current}>
      {label}
    </option>
  )
}
