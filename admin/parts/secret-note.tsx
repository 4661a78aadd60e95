/** @jsxImportSource #jsx */
import type { Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { copyButton } from './copy-button.tsx'
import { keySnippets } from './key-snippets.ts'

/** A new secret with snippets that use it. It is shown once. */
export async function secretNote(origin: string, key: KeyRow, secret: string): Promise<Markup> {
  const snippets = Object.entries(await keySnippets(origin, key.id, secret))
  return (
    <>
      <div class="note warn" role="status">
        <h2>Copy the secret now. It will not be shown again.</h2>
        <dl class="secret">
          {copyRow('Key id', 'secret-id', key.id)}
          {copyRow('Secret', 'secret-value', secret)}
        </dl>
      </div>
      <section class="card tabbed" aria-label="How to use it">
        {snippets.map(([label], index) => (
          <label>
            <input class="vh" type="radio" name="snippet" value={index} checked={index === 0} />
            {label}
          </label>
        ))}
        {snippets.map(([label, lines], index) => (
          <div class="panel">
            <pre tabindex="0" role="region" aria-label={label} id={`snippet-${index}`}>
              {lines.join('\n')}
            </pre>
            {copyButton(`snippet-${index}`)}
          </div>
        ))}
      </section>
    </>
  )
}

function copyRow(label: string, elementId: string, value: string): Markup {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code id={elementId}>{value}</code>
      </dd>
      <dd>{copyButton(elementId)}</dd>
    </div>
  )
}
