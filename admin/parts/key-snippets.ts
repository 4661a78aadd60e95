import { embedUrl } from '../../src/client/embed-url.ts'
import { escapeHtml } from '../../src/lib/jsx/markup.ts'

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
      '<!-- A signed address: nobody can change what it shows. -->',
      `<img src="${escapeHtml(image)}" alt="Hello" width="600">`,
      `<meta property="og:image" content="${escapeHtml(image)}">`,
    ],
    Shell: [
      '# Signs an address; docs/embedding.md has recipes for site generators.',
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
