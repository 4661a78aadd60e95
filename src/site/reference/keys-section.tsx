/** @jsxImportSource #jsx */
import { addressFormats } from '../../assets/kit/address-formats.ts'
import type { Asset } from '../../assets/kit/asset.ts'
import type { Config } from '../../config.ts'
import { formatSpan } from '../../lib/human-format.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import { addressForm } from '../openapi/address-path.ts'
import type { RouteOperation } from '../openapi/operation.ts'
import { codeBlock } from '../parts/code-block.tsx'
import { referenceTable } from '../parts/table.tsx'
import { operationTable } from './operation-table.tsx'
import { signingVectors } from './signing-vectors.ts'

/** Keys: how to get one, sign with it, see what it used, lift its quota. */
export function keysSection(config: Config, origin: string, operations: readonly RouteOperation[]): Markup {
  return (
    <section id="keys">
      <h2>Keys</h2>
      <p>
        {config.PUBLIC_KEYS
          ? `Open /api/key and keep what it answers: an id and a secret, at most ${config.KEYS_PER_IP_PER_DAY} pairs a day for one address.`
          : 'The operator of this service hands out keys; ask for one.'}{' '}
        The secret cannot be shown again, not even by us. Sign in your build or on your server, never in a
        page.
      </p>
      <p>
        {config.PUBLIC_KEYS && (
          <>
            With <code>expires=90</code> the key ends by itself after 90 days.{' '}
          </>
        )}
        A key that has ended grants nothing, and neither does any address that it signed. A signed call of{' '}
        <code>/api/usage</code> is told when the key ends, as <code>expires_at</code>, how many of the day’s{' '}
        <code>drawings</code> it has used (those of signed addresses whose picture was not in memory), and how
        often networks fetched its signed pictures for link previews in the last seven days, as{' '}
        <code>shares</code>. The operator can limit a key to some assets, which it is told as{' '}
        <code>assets</code>; a call of another asset is refused as <code>asset_not_allowed</code>.
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
        <code>&lt;t&gt;.&lt;METHOD&gt; &lt;path&gt;</code>. HEAD is signed as GET. Whoever holds such a URL
        may change its other parameters until it dies: it is for servers, not for pages.
      </p>
      <h3>Test vectors</h3>
      <p>
        The secret of all of them is <code>{signingVectors[0]?.secret}</code>.
      </p>
      {codeBlock(
        'Test vectors',
        signingVectors.map(({ name, payload, sig }) => `# ${name}\n${payload}\n${sig}`).join('\n\n'),
      )}
    </section>
  )
}

/** Signed addresses: their form, three lines that sign one, and the older form in the query. */
export function embeddingSection(origin: string, assets: readonly Asset[]): Markup {
  return (
    <section id="embedding">
      <h2>Signed addresses</h2>
      <p>
        A picture in a public page needs an address that lives long and that nobody can bend:{' '}
        <code>{addressForm}</code>. The payload is the parameters in form encoding, as base64url without
        padding. The signature is the first 32 hex digits of HMAC-SHA256 over the address without it,{' '}
        <code>GET /i/&lt;asset&gt;/&lt;key&gt;/&lt;payload&gt;.&lt;ext&gt;</code>. It consists of letters,
        digits, <code>-</code> and <code>_</code>, so no page, mail or feed changes it on the way. It holds
        for as long as the key, or until <code>exp</code> (unix seconds, up to ten years ahead) in the
        payload.
      </p>
      <p>
        An address counts once, on the day on which it is first answered; its views are free from then on. A
        new secret of the key breaks no address that was answered before, unless the operator says that the
        old secret has leaked. Where the quota of a day is used up, crawlers of link previews still get a new
        picture, up to ten quotas in any 30 days (two on the first day of a key that the operator has not
        named), of which one client address gets at most three quarters.
      </p>
      {formatTable(assets)}
      {codeBlock('Sign an address', signingLines(origin))}
      {codeBlock(
        'Signed addresses with the client',
        `// npm install ${origin}/client.tgz
import { cardTags, embedUrl } from 'mintmark'

const pair = { key: process.env.MINTMARK_KEY, secret: process.env.MINTMARK_SECRET }
const head = await cardTags("${origin}", { title: "Hello" }, pair)
const card = await embedUrl("${origin}/api/og.png", { title: "Hello" }, pair)`,
      )}
      <p>
        The <a href="/#play">playground</a> signs one in your browser; nothing that you paste there leaves it.
        Addresses in the older form, with <code>key</code>, <code>exp</code> and <code>sig</code> in the
        query, stay valid. They sign <code>&lt;METHOD&gt; &lt;path&gt;?&lt;query&gt;</code>: every pair but{' '}
        <code>sig</code>, sorted by name in code-point order, percent-encoded as RFC 3986 has it. JSON,
        previews and site files have no other form.
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
  return referenceTable('Signed addresses', ['Address', 'Ends with', 'Parameters of'], rows)
}

function signingLines(origin: string): string {
  return `payload=$(printf 'title=Hello' | openssl base64 -A | tr '+/' '-_' | tr -d '=')
sig=$(printf 'GET /i/og/%s/%s.png' "$KEY" "$payload" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-32)
echo "${origin}/i/og/$KEY/$payload/$sig.png"`
}
