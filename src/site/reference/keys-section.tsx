/** @jsxImportSource #jsx */
import type { Config } from '../../config.ts'
import { formatSpan } from '../../lib/human-format.ts'
import type { Markup } from '../../lib/jsx/markup.ts'
import type { Operation } from '../openapi/operation.ts'
import { codeBlock } from '../parts/code-block.tsx'
import { operationTable } from './operation-table.tsx'
import { signingVectors } from './signing-vectors.ts'

/** Keys: how to get one, sign with it, see what it used, lift its quota. */
export function keysSection(config: Config, origin: string, operations: readonly Operation[]): Markup {
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
        A key that has ended grants nothing, and neither does any URL that it signed. A signed call of{' '}
        <code>/api/usage</code> is told when the key ends, as <code>expires_at</code>, and how many of the
        day’s <code>drawings</code> it has used: those of signed addresses whose picture was not in memory.
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

export function embeddingSection(origin: string): Markup {
  return (
    <section id="embedding">
      <h2>Embedding in a page</h2>
      <p>
        A URL that stands in a public page must live long and bend to nobody. Send <code>exp</code> (unix
        seconds, up to ten years ahead) in place of <code>t</code>, and sign{' '}
        <code>&lt;METHOD&gt; &lt;path&gt;?&lt;query&gt;</code>: every pair but <code>sig</code>, sorted by
        name in code-point order, percent-encoded as RFC 3986 has it. Each such URL counts once a day against
        its key, however often it is loaded.
      </p>
      {codeBlock(
        'Embed URL with the client',
        `// npm install ${origin}/client.tgz
import { cardTags, embedUrl } from 'mintmark'

const pair = { key: process.env.MINTMARK_KEY, secret: process.env.MINTMARK_SECRET }
const head = await cardTags("${origin}", { title: "Hello" }, pair)
const card = await embedUrl("${origin}/api/og", { title: "Hello" }, pair)`,
      )}
      <p>
        The <a href="/#play">playground</a> signs one in your browser; nothing that you paste there leaves it.
      </p>
    </section>
  )
}
