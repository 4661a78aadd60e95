/** @jsxImportSource #jsx */
import type { Markup } from '../lib/jsx/markup.ts'
import places from './data/places.json' with { type: 'json' }
import { headOf, layout } from './layout.tsx'
import { image, titledSection } from './parts/elements.tsx'
import { tabAddress } from './playground/form.ts'
import { brandRows, sizeExamples } from './sample-pictures.ts'

export function examplesPage(origin: string): Markup {
  return layout(headOf('examples', origin), [
    <div class="hero">
      <h1>Every size and theme, light and dark</h1>
      <p>
        Each size is composed for its shape, in every script, and mirrored where it reads from right to left.
        Try your own text in the <a href={tabAddress('og')}>playground</a>; every parameter is in the{' '}
        <a href="/docs#og">reference</a>.
      </p>
    </div>,
    brandSection(),
    sizeExamples.map(section),
  ])
}

function brandSection(): Markup {
  const text =
    '. The operator defines brands: a logo, colours, fonts, a picture, a line at the foot. These four were invented for this page.'
  const rows = brandRows.map((row) => (
    <figure>
      <div class="sizes">{row.map((card) => image({ ...card, class: `is-${card.name}` }))}</div>
      <figcaption class="muted small">
        <b>{row[0]?.brand.name}</b>. {row[0]?.brand.about}
      </figcaption>
    </figure>
  ))
  return titledSection('brands', 'Brands', [<code>brand=slug</code>, text], rows)
}

function section({ name, size, cards }: (typeof sizeExamples)[number]): Markup {
  const { widthPx, heightPx, shape } = size
  const figures = cards.map((card) => (
    <figure>
      {image(card)}
      <figcaption class="muted small">{card.caption}</figcaption>
    </figure>
  ))
  return titledSection(
    `size-${name}`,
    `${name}, ${widthPx} × ${heightPx}`,
    [<code>size={name}</code>, '. ', places[name]],
    <div class={`examples is-${shape}`}>{figures}</div>,
  )
}
