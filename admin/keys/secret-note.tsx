/** @jsxImportSource #jsx */
import { embedUrl } from '../../src/client/embed-url.ts'
import { escapeHtml, type Markup } from '../../src/lib/jsx/markup.ts'
import { fill, textParts } from '../../src/lib/texts.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { copyButtonOf } from '../parts/elements.tsx'
import source from './snippets.txt' with { type: 'text' }

export async function secretNote(origin: string, key: KeyRow, secret: string): Promise<Markup> {
  const snippets = await keySnippets(origin, key.id, secret)
  return (
    <>
      <div class="note warn" role="status">
        <h2>Copy the secret now. It will not be shown again.</h2>
        <dl class="secret">
          {copyRow('Key id', 'secret-id', key.id)}
          {copyRow('Secret', 'secret-value', secret)}
        </dl>
      </div>
      <section class="card panel tabs tabbed" aria-label="How to use it">
        {snippets.map(([label], index) => (
          <label>
            <input type="radio" name="snippet" value={index} checked={index === 0} />
            {label}
          </label>
        ))}
        {snippets.map(([label, code], index) => (
          <div>
            <pre tabindex="0" role="region" aria-label={label} id={`snippet-${index}`}>
              {code}
            </pre>
            {copyButtonOf(`snippet-${index}`)}
          </div>
        ))}
      </section>
    </>
  )
}

export function copyRow(label: string, elementId: string, value: string): Markup {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code class="box" id={elementId}>
          {value}
        </code>
      </dd>
      <dd>{copyButtonOf(elementId)}</dd>
    </div>
  )
}

const snippetTexts = textParts(source)

/** Snippets that work when pasted. They contain the secret, so they are shown only beside it. */
export async function keySnippets(origin: string, key: string, secret: string) {
  const image = await embedUrl(`${origin}/api/og.png`, { title: 'Hello' }, { key, secret })
  const values = { origin, key, secret, image: escapeHtml(image) }
  return [...snippetTexts].map(([language, text]) => [language, fill(text, values)])
}
