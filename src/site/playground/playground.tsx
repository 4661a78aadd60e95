/** @jsxImportSource #jsx */
import type { Child, Markup } from '../../lib/jsx/markup.ts'
import { siteAssets } from '../assets.ts'
import { icon } from '../parts/icons.tsx'
import { control } from './controls.tsx'
import { type AssetForm, fieldProblems, tabAddress } from './form.ts'
import { type ResultPanelInput, resultPanel } from './result-panel.tsx'
import { canShuffle, shuffleAddress } from './shuffle.ts'

export interface PlaygroundInput extends ResultPanelInput {
  readonly forms: readonly AssetForm[]
}

/** The form with its result. Complete without JavaScript: sending the form shows the result on the next page. */
export function playground(input: PlaygroundInput): Markup {
  const { forms, state, result } = input
  const { form, values, isExample } = state
  const problems = result.type === 'problem' ? fieldProblems(result.problem, form) : {}
  function fields(row: AssetForm['more']) {
    return row.map((field) => control(field, values[field.name] ?? '', problems[field.name]))
  }
  const isMoreUsed = !isExample && form.more.some(({ name, fallback }) => values[name] !== fallback)
  return (
    <div id="play">
      <form
        class="card play"
        action="/#play"
        method="get"
        data-waits={form.waits}
        data-follow={form.hasProgress}
        data-more={siteAssets.path('card.js')}
      >
        <nav class="kinds tabs" aria-label="Asset">
          {forms.map(({ id, title }) => (
            <a href={tabAddress(id)} aria-current={id === form.id && 'page'}>
              {title}
            </a>
          ))}
        </nav>
        <div class="fields">
          <input type="hidden" name="kind" value={form.id} />
          {/* Enter presses the first button of a form, which would be a swatch. */}
          <button class="vh" type="submit" tabindex="-1" aria-hidden="true" />
          {form.rows.map((row) => (row.length === 1 ? fields(row) : <div class="two">{fields(row)}</div>))}
          {form.more.length > 0 && (
            <details class="more" open={isMoreUsed}>
              <summary>More parameters</summary>
              <div class="two">{fields(form.more)}</div>
            </details>
          )}
          <div class="actions row">
            <button class="btn primary" type="submit">
              {form.waits ? 'Fetch' : 'Update preview'}
            </button>
            {canShuffle(form) && (
              <a class="btn" href={shuffleAddress(form)} rel="nofollow" data-shuffle>
                {icon('shuffle')}
                Shuffle
              </a>
            )}
          </div>
          <p class="hint">
            {form.asset.query.properties['title'] !== undefined && (
              <span class="js-only">Click the card to edit its texts. </span>
            )}
            Previews here are free and don’t use the demo quota.
          </p>
        </div>
        {resultPanel(input)}
      </form>
      <nav aria-label="Your last cards" data-last hidden />
      {signSection(form)}
    </div>
  )
}

/** Signs the address of the shown asset in the browser. The id and the secret are sent nowhere. */
function signSection({ asset }: AssetForm): Child {
  if (asset.priceMicros === undefined) return undefined
  return (
    <details class="card fold sign js-only">
      <summary>
        Sign this URL in your browser <span class="hint">valid for as long as the key</span>
      </summary>
      <form id="sign" autocomplete="off">
        <label>
          Key id
          <input data-sign="key" placeholder="mk_…" spellcheck="false" autocomplete="off" required />
        </label>
        <label>
          Secret
          <input data-sign="secret" type="password" autocomplete="off" required />
        </label>
        <button class="btn" type="submit">
          Sign
        </button>
        <p class="hint">
          The signature is computed by this page with WebCrypto. Neither the id nor the secret is sent or
          stored. <a href="/docs#keys">Get a key</a>
        </p>
        <pre hidden tabindex="0" role="region" aria-label="Signed URL" />
        <button class="btn copy" type="button" data-copy hidden>
          {icon('copy')}
          <span>Copy URL</span>
        </button>
      </form>
    </details>
  )
}
