import { embedUrl } from '../../src/client/embed-url.ts'
import { escapeHtml } from '../../src/lib/jsx/markup.ts'
import type { KeyRow } from '../../src/store/keys.ts'

const yearSeconds = 31_536_000

/**
 * The lines of snippets for this key, by language, that work when pasted. They contain the secret, so they are shown only
 * beside it.
 */
export async function keySnippets(
  origin: string,
  { id: key }: KeyRow,
  secret: string,
  nowMs: number,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const exp = Math.floor(nowMs / 1000) + yearSeconds
  const image = await embedUrl(`${origin}/api/og`, { title: 'Hello' }, { key, secret }, { exp })
  return {
    curl: [
      `t=$(date +%s)`,
      `sig=$(printf '%s.GET /api/og' "$t" | openssl dgst -sha256 -hmac '${secret}' -r | cut -c1-64)`,
      `curl -o card.svg "${origin}/api/og?title=Hello&key=${key}&t=$t&sig=$sig"`,
    ],
    HTML: [
      '<!-- An embed URL: nobody can change it, and it counts once a day. -->',
      `<img src="${escapeHtml(image)}" alt="Hello" width="600">`,
      `<meta property="og:image" content="${escapeHtml(image)}">`,
    ],
    Shell: [
      '# Signs embed URLs; docs/embedding.md has recipes for site generators.',
      `MINTMARK_KEY=${key} MINTMARK_SECRET=${secret} \\`,
      `MINTMARK_URL=${origin} bun run sign --title Hello`,
    ],
    Python: [
      'import hashlib, hmac, time, urllib.request',
      '',
      't = int(time.time())',
      `sig = hmac.new(b'${secret}', f'{t}.GET /api/og'.encode(), hashlib.sha256).hexdigest()`,
      `url = f'${origin}/api/og?title=Hello&key=${key}&t={t}&sig={sig}'`,
      "open('card.svg', 'wb').write(urllib.request.urlopen(url).read())",
    ],
  }
}
