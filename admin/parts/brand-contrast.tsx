/** @jsxImportSource #jsx */
import { opaqueColor } from '../../src/lib/css-color.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { InkContrast, SchemeContrast } from '../data/brand-details.ts'

/** How well texts can be read on the cards, by scheme. @param ground the background as it was typed */
export function contrastNote(contrasts: readonly SchemeContrast[], ground = ''): Markup {
  return (
    <div class="contrasts" data-part="contrasts">
      <table class="plain">
        <caption>Contrast</caption>
        <thead>
          <tr>
            <th scope="col">Scheme</th>
            <th scope="col">Title</th>
            <th scope="col">Other texts</th>
          </tr>
        </thead>
        <tbody>
          {contrasts.map((contrast) => (
            <tr>
              <th scope="row">
                {sample(contrast)} {contrast.scheme === 'light' ? 'Light' : 'Dark'}
              </th>
              <td>{ratioText(contrast.title, contrast.isMinimum)}</td>
              <td>{ratioText(contrast.text, contrast.isMinimum)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {movedNote(contrasts, opaqueColor(ground))}
    </div>
  )
}

/** The two inks on their background. */
function sample({ background, title, text }: SchemeContrast): Markup {
  return (
    <svg class="inks" viewBox="0 0 44 24" aria-hidden="true">
      <rect width="44" height="24" rx="4" fill={background} />
      <text x="7" y="17" font-weight="700" fill={title.color}>
        A
      </text>
      <text x="24" y="17" fill={text.color}>
        a
      </text>
    </svg>
  )
}

/** `16.5 : 1`, cut and not rounded, so that it says no more than there is. */
function ratioText({ ratio }: InkContrast, isMinimum: boolean): Child {
  const text = `${(Math.floor(ratio * 10) / 10).toFixed(1)} : 1`
  return [isMinimum && 'at least ', <span class="num">{text}</span>]
}

function movedNote(contrasts: readonly SchemeContrast[], ground: string | undefined): Child {
  const moved = contrasts.filter(({ background }) => background !== ground)
  if (ground === undefined || moved.length === 0) return undefined
  const drawn = moved.map(({ scheme, background }) => `${background} in the ${scheme} scheme`)
  return (
    <p class="hint">Your background is drawn as {drawn.join(' and ')}, so that every text can be read.</p>
  )
}
