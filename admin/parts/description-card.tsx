/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'

export type DescriptionRow = readonly [name: string, value: Child]

/** A card with a list of names and values. */
export function descriptionCard(title: string, rows: readonly DescriptionRow[], foot?: Child): Markup {
  return (
    <section class="card panel">
      <header>
        <h2>{title}</h2>
      </header>
      <dl class="facts">
        {rows.map(([name, value]) => (
          <div>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {foot}
    </section>
  )
}
