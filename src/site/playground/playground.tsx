/** @jsxImportSource #jsx */
import type { Problem } from '../../errors.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import { control } from './control.tsx'
import type { AssetForm } from './form.ts'
import { type ResultPanelInput, resultPanel } from './result-panel.tsx'
import { signSection } from './sign-section.tsx'
import { tabAddress } from './tab-address.ts'

export interface PlaygroundInput extends ResultPanelInput {
  readonly forms: readonly AssetForm[]
}

/** The form with its result. Complete without JavaScript: sending the form shows the result on the next page. */
export function playground(input: PlaygroundInput): Markup {
  const { forms, state, result } = input
  const { form, values, isExample } = state
  const problems = result.type === 'problem' ? problemsByField(result.problem) : {}
  function fields(row: AssetForm['more']) {
    return row.map((field) => control(field, values[field.name] ?? '', problems[field.name]))
  }
  const isMoreUsed = !isExample && form.more.some(({ name, fallback }) => values[name] !== fallback)
  return (
    <div id="play">
      <form class="card play" action="/" method="get" data-live={form.isLive} data-follow={form.hasProgress}>
        <nav class="kinds" aria-label="Asset">
          {forms.map(({ asset }) => (
            <a href={tabAddress(asset.id)} aria-current={asset.id === form.asset.id && 'page'}>
              {asset.title}
            </a>
          ))}
        </nav>
        <div class="fields">
          <input type="hidden" name="kind" value={form.asset.id} />
          {form.rows.map((row) => (row.length === 1 ? fields(row) : <div class="two">{fields(row)}</div>))}
          {form.more.length > 0 && (
            <details class="more" open={isMoreUsed}>
              <summary>More parameters</summary>
              <div class="two">{fields(form.more)}</div>
            </details>
          )}
          <button class="btn primary" type="submit">
            {form.isLive ? 'Get it' : 'Update preview'}
          </button>
          <p class="hint">Previews here are free and leave the demo quota alone.</p>
        </div>
        {resultPanel(input)}
      </form>
      {signSection(form)}
    </div>
  )
}

/** The message about each invalid field, by its name. */
function problemsByField({ errors }: Problem): Readonly<Record<string, string>> {
  return Object.fromEntries(errors.map(({ parameter, message }) => [parameter, message]))
}
