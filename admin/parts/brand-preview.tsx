/** @jsxImportSource #jsx */
import { cardSizes, type SizeName } from '../../src/assets/og/card-sizes.ts'
import { schemes } from '../../src/assets/og/theme.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { feedFrames } from '../../src/site/parts/feed-frames.tsx'
import { type BrandPreview, type DrawnBrand, sampleHost, sampleTexts } from '../data/brand-previews.ts'

/** The rows of a preview: within a row all cards have the same height. */
const rows: readonly (readonly SizeName[])[] = [
  ['og', 'x'],
  ['github', 'square', 'portrait', 'pin'],
]

/** All sizes in both schemes. The script of the pages replaces it while the operator types. */
export function brandPreview({ previews, shared }: DrawnBrand, title: string, controls: Child): Markup {
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
      {feed(shared, title)}
    </section>
  )
}

/** The card in the frames of networks. The script replaces the frames, and the tabs stay as they are. */
function feed(source: string, title: string): Markup {
  const image = { ...cardSizes.og, url: source, alt: 'The card as it is shared' }
  return (
    <div id="feed">
      <h3>As seen in</h3>
      {feedFrames({
        group: 'feed',
        page: { image, title, description: sampleTexts.subtitle, host: sampleHost },
      })}
    </div>
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
