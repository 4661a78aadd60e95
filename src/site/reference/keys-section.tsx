/** @jsxImportSource #jsx */
import { type Asset, addressFormats } from '../../assets/kit/asset.ts'
import type { Config } from '../../config.ts'
import { formatSpan } from '../../lib/human-format.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import { addressForm } from '../openapi/asset-paths.ts'
import type { RouteOperation } from '../openapi/operation.ts'
import { codeBlock, referenceTable } from '../parts/elements.tsx'
import { operationTable } from './more-sections.tsx'
import { signingVectors } from './signing-vectors.ts'

export function keysSection(config: Config, origin: string, operations: readonly RouteOperation[]): Markup {
  return (
    <section id="keys">
      <h2>Keys</h2>
      <p>
        {config.PUBLIC_KEYS
          ? `Open /api/key and keep what it answers: an id and a secret, at most ${config.KEYS_PER_IP_PER_DAY} pairs a day for each client address.`
          : 'The operator of this service hands out keys; ask for one.'}{' '}
        The secret cannot be shown again, not even by us. Sign in your build or on your server, never in a
        page.
      </p>
      <p>
        {config.PUBLIC_KEYS && (
          <>
            With <code>expires=90</code> the key expires after 90 days.{' '}
          </>
        )}
        An expired key grants nothing, and its signed URLs stop working. A signed call of{' '}
        <code>/api/usage</code> returns <code>expires_at</code>; <code>drawings</code>, the pictures of signed
        URLs that were drawn today; and <code>shares</code>, how often networks fetched them for link previews
        in the last seven days. If the operator limits a key to some assets, <code>assets</code> lists them,
        and calls of others are refused as <code>asset_not_allowed</code>.
      </p>
      {codeBlock('Get a key', `curl '${origin}/api/key'`)}
      {operationTable('keys', operations)}
    </section>
  )
}

export function signingSection(config: Config): Markup {
  return (
    <section id="signing">
      <h2>Signing a call</h2>
      <p>
        Three query parameters: <code>key</code>, the id; <code>t</code>, the time in unix seconds, at most{' '}
        {formatSpan(config.SIGNATURE_SKEW_SECONDS * 1000)} from our clock; and <code>sig</code>, the
        lower-case hex of HMAC-SHA256. The HMAC’s key is the secret as UTF-8 text, its message{' '}
        <code>&lt;t&gt;.&lt;METHOD&gt; &lt;path&gt;</code>. HEAD is signed as GET. Anyone who has such a URL
        can change its other parameters until it expires, so use it on servers, not in pages.
      </p>
      <h3>Test vectors</h3>
      <p>
        They all use the secret <code>{signingVectors[0]?.secret}</code>.
      </p>
      {codeBlock(
        'Test vectors',
        signingVectors.map(({ name, payload, sig }) => `# ${name}\n${payload}\n${sig}`).join('\n\n'),
      )}
    </section>
  )
}

export function embeddingSection(origin: string, assets: readonly Asset[]): Markup {
  return (
    <section id="embedding">
      <h2>Signed URLs</h2>
      <p>
        Signed URLs stay valid for years, can’t be changed, and never expose your secret:{' '}
        <code>{addressForm}</code>. The payload is the parameters in form encoding, as base64url without
        padding. The signature is the first 32 hex digits of HMAC-SHA256 over the URL without it,{' '}
        <code>GET /i/&lt;asset&gt;/&lt;key&gt;/&lt;payload&gt;.&lt;ext&gt;</code>. All characters are letters,
        digits, <code>-</code> and <code>_</code>, so mail programs and feeds leave them unchanged. A signed
        URL is valid for as long as its key, or until <code>exp</code> (unix seconds, up to ten years ahead)
        in the payload.
      </p>
      <p>
        A signed URL counts once, on the day it is first answered; later views are free. A new secret breaks
        no URL that was answered before, unless the operator reports the old secret as leaked. When the quota
        of a day is used up, crawlers of link previews still get new pictures: up to ten quotas in any 30 days
        (two on the first day of a key that the operator has not named), at most three quarters of them for
        one client address.
      </p>
      {formatTable(assets)}
      {codeBlock('Sign a URL', signingLines(origin))}
      {codeBlock(
        'Signed URLs with the client',
        `// npm install ${origin}/client.tgz
import { cardTags, embedUrl } from 'mintmark'

const pair = { key: process.env.MINTMARK_KEY, secret: process.env.MINTMARK_SECRET }
const head = await cardTags("${origin}", { title: "Hello" }, pair)
const card = await embedUrl("${origin}/api/og.png", { title: "Hello" }, pair)`,
      )}
      <p>
        The <a href="/#play">playground</a> signs one in your browser; your secret never leaves it. URLs in
        the older form, with <code>key</code>, <code>exp</code> and <code>sig</code> in the query, stay valid.
        They sign <code>&lt;METHOD&gt; &lt;path&gt;?&lt;query&gt;</code>: every pair but <code>sig</code>,
        sorted by name in code-point order, percent-encoded as RFC 3986 has it. JSON, previews and site files
        have no other form.
      </p>
    </section>
  )
}

function formatTable(assets: readonly Asset[]): Markup {
  const rows = assets.flatMap((asset) => {
    const extensions = addressFormats(asset).map(({ extension }) => extension)
    if (extensions.length === 0) return []
    return (
      <tr>
        <th scope="row">
          <code>GET /i/{asset.id}/…</code>
        </th>
        <td>{extensions.join(', ')}</td>
        <td data-label="Parameters">
          <a href={`#${asset.id}`}>{asset.path}</a>
        </td>
      </tr>
    )
  })
  return referenceTable('Signed URLs', ['URL', 'Extensions', 'Parameters'], rows)
}

function signingLines(origin: string): string {
  return `payload=$(printf 'title=Hello' | openssl base64 -A | tr '+/' '-_' | tr -d '=')
sig=$(printf 'GET /i/og/%s/%s.png' "$KEY" "$payload" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-32)
echo "${origin}/i/og/$KEY/$payload/$sig.png"`
}
