/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { codeBlock } from '../parts/code-block.tsx'
import { icon } from '../parts/icons.tsx'
import type { Snippet } from './snippets.ts'

/** Tabs of snippets, as radio buttons: they work without scripts. */
export function snippetTabs(snippets: readonly Snippet[]): Markup {
  return (
    <div class="snips">
      <fieldset class="langs tabs">
        <legend class="vh">Snippet</legend>
        {snippets.map(({ id, label }, index) => (
          <label>
            <input
              type="radio"
              name="snippet"
              value={id}
              id={`snippet-${id}`}
              checked={index === 0}
              form="none"
            />
            {label}
          </label>
        ))}
        <button class="btn copy end" type="button" data-copy>
          {icon('copy')}
          <span>Copy</span>
        </button>
      </fieldset>
      {snippets.map(({ id, label, code }) => codeBlock(label, code, id))}
    </div>
  )
}
