/** @jsxImportSource #jsx */
import { opaqueColor } from '../../src/lib/css-color.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import type { InkContrast, SchemeContrast } from '../data/brand-details.ts'

/** How well texts can be read on the cards, by scheme. @param ground the background as it was typed */
export function contrastNote(contrasts: readonly SchemeContrast[], ground = ''): Markup {
  return (
    <dl class="contrasts" id="contrasts" data-part="contrasts">
      {contrasts.map((contrast) => (
        <div>
          <dt>
            {sample(contrast)}
            {contrast.scheme === 'light' ? 'Light' : 'Dark'}
          </dt>
          <dd>
            Contrast of the title {ratioText(contrast.title, contrast.isMinimum)}, of other texts{' '}
            {ratioText(contrast.text, contrast.isMinimum)}. {movedNote(contrast, opaqueColor(ground))}
          </dd>
        </div>
      ))}
    </dl>
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
  return [isMinimum && 'at least ', <b class="num">{text}</b>]
}

function movedNote({ background }: SchemeContrast, ground: string | undefined): Child {
  if (ground === undefined || ground === background) return undefined
  return `The background is drawn as ${background}, so that texts can be read.`
}
