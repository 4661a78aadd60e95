/** @jsxImportSource #jsx */
import { embedUrl } from '../../src/client/embed-url.ts'
import { escapeHtml, type Markup } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'
import { copyButton } from '../parts/elements.tsx'

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
      <section class="card panel tabs tabbed" aria-label="How to use it">
        {snippets.map(([label], index) => (
          <label>
            <input type="radio" name="snippet" value={index} checked={index === 0} />
            {label}
          </label>
        ))}
        {snippets.map(([label, lines], index) => (
          <div>
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

export function copyRow(label: string, elementId: string, value: string): Markup {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <code class="box" id={elementId}>
          {value}
        </code>
      </dd>
      <dd>{copyButton(elementId)}</dd>
    </div>
  )
}

/**
 * The lines of snippets for this key, by language, that work when pasted. They contain the secret, so they are shown only
 * beside it.
 */
export async function keySnippets(
  origin: string,
  key: string,
  secret: string,
): Promise<Readonly<Record<'curl' | 'HTML' | 'Shell' | 'Python', readonly string[]>>> {
  const image = await embedUrl(`${origin}/api/og.png`, { title: 'Hello' }, { key, secret })
  return {
    curl: [
      `t=$(date +%s)`,
      `sig=$(printf '%s.GET /api/og' "$t" | openssl dgst -sha256 -hmac '${secret}' -r | cut -c1-64)`,
      `curl -o card.svg "${origin}/api/og?title=Hello&key=${key}&t=$t&sig=$sig"`,
    ],
    HTML: [
      '<!-- A signed URL: nobody can change what it shows. -->',
      `<img src="${escapeHtml(image)}" alt="Hello" width="600">`,
      `<meta property="og:image" content="${escapeHtml(image)}">`,
    ],
    Shell: [
      '# Signs a URL; docs/signed-urls.md has recipes for site generators.',
      "payload=$(printf 'title=Hello' | openssl base64 -A | tr '+/' '-_' | tr -d '=')",
      `sig=$(printf 'GET /i/og/${key}/%s.png' "$payload" | openssl dgst -sha256 -hmac '${secret}' -r | cut -c1-32)`,
      `echo "${origin}/i/og/${key}/$payload/$sig.png"`,
    ],
    Python: [
      'import hmac',
      'from base64 import urlsafe_b64encode',
      'from urllib.parse import urlencode',
      '',
      "payload = urlsafe_b64encode(urlencode({'title': 'Hello'}).encode()).decode().rstrip('=')",
      `sig = hmac.new(b'${secret}', f'GET /i/og/${key}/{payload}.png'.encode(), 'sha256').hexdigest()[:32]`,
      `print(f'${origin}/i/og/${key}/{payload}/{sig}.png')`,
    ],
  }
}
