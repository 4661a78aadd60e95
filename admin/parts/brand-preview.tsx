/** @jsxImportSource #jsx */
import { cardSizes, type SizeName } from '../../src/assets/og/card-sizes.ts'
import { schemes } from '../../src/assets/og/theme.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { BrandPreview } from '../data/brand-previews.ts'

/** The rows of a preview: within a row all cards have the same height. */
const rows: readonly (readonly SizeName[])[] = [
  ['og', 'x'],
  ['github', 'square', 'portrait', 'pin'],
]

/** All sizes in both schemes. The script of the pages replaces it while the operator types. */
export function brandPreview(previews: readonly BrandPreview[], controls: Child): Markup {
  return (
    <section class="card panel preview" aria-labelledby="preview-title">
      <header>
        <h2 id="preview-title">Preview</h2>
        {controls}
      </header>
      <p class="vh" role="status" id="preview-state" />
      <div id="preview">
        {schemes.map((scheme) => (
          <div class={`previews is-${scheme}`}>
            <h3>{scheme === 'light' ? 'Light' : 'Dark'}</h3>
            {rows.map((sizes) => (
              <div class="sizes">
                {sizes.map((size) =>
                  figure(previews.find((each) => each.size === size && each.scheme === scheme)),
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}

function figure(preview: BrandPreview | undefined): Child {
  if (preview === undefined) return undefined
  const { size, scheme, source } = preview
  const { widthPx, heightPx } = cardSizes[size]
  return (
    <figure class={`is-${size}`}>
      <img
        src={source}
        width={widthPx}
        height={heightPx}
        alt={`Card of size ${size}, ${widthPx} × ${heightPx}, ${scheme}`}
      />
      <figcaption class="muted small">{size}</figcaption>
    </figure>
  )
}
