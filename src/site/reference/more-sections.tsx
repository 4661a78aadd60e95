/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import type { Setting } from '../../lib/settings.ts'
import type { RouteOperation } from '../openapi/operation.ts'
import { headersOf } from '../openapi/responses.ts'
import { codeBlock } from '../parts/code-block.tsx'
import { operationTable } from './operation-table.tsx'

/** The response headers. */
export function headersSection(isPaid: boolean): Markup {
  return (
    <section id="headers">
      <h2>Headers</h2>
      <p>
        Pictures carry a strong ETag: equal parameters, equal bytes. A matching <code>If-None-Match</code>{' '}
        gets 304 and is not counted, as long as the signature and its key are valid. A URL with{' '}
        <code>exp</code> is never fresh beyond it, and one with <code>t</code> is cached by its caller alone,
        for five minutes. Bodies come as zstd, br or gzip.
      </p>
      <dl class="terms card">
        {Object.entries(headersOf(isPaid)).map(([name, { description }]) => (
          <div>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>{String(description)}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

export function machinesSection(operations: readonly RouteOperation[]): Markup {
  return (
    <section id="machines">
      <h2>For programs</h2>
      <p>
        The same reference as <a href="/openapi.json">OpenAPI 3.1</a>, as <a href="/llms.txt">llms.txt</a>,
        with the guides in <a href="/llms-full.txt">one text</a>, and paths for monitors. Each guide is also
        Markdown: add <code>.md</code> to its path.
      </p>
      <p>
        Pages for people have the tag <code>pages</code>, so that clients generated from OpenAPI can leave
        them out.
      </p>
      {codeBlock('A client without pages', clientWithoutPages)}
      {operationTable('machines', operations)}
      {operationTable('pages', operations)}
    </section>
  )
}

const clientWithoutPages = `// @hey-api/openapi-ts: openapi-ts.config.ts
parser: { filters: { tags: { exclude: ['pages'] } } }

// orval: orval.config.ts
input: { target: './openapi.json', filters: { mode: 'exclude', tags: ['pages'] } }`

/** The settings with their defaults; those of payments only where there is a wallet. Values are not shown. */
export function settingsSection(
  settings: Readonly<Record<string, Setting<unknown>>>,
  isPaid: boolean,
): Markup {
  const rows = Object.entries(settings).filter(([name]) => isPaid || !/^(X402|PRICE|UPGRADE)_/.test(name))
  return (
    <section id="settings">
      <h2>Running your own</h2>
      <p>
        Environment variables; each also as <code>&lt;NAME&gt;_FILE</code>, the path of a file that holds the
        value. The server does not start with a mistake, and lists all of them.
      </p>
      <details class="card fold">
        <summary>{rows.length} settings</summary>
        <dl class="terms">
          {rows.map(([name, { default: fallback, doc }]) => (
            <div>
              <dt>
                <code>{name}</code>
                {fallback && <span class="muted small"> {fallback}</span>}
              </dt>
              <dd>{doc}</dd>
            </div>
          ))}
        </dl>
      </details>
    </section>
  )
}

export function creditsSection(): Markup {
  return (
    <section id="credits">
      <h2>Credits</h2>
      <ul>
        <li>
          Fonts, all under the SIL Open Font License 1.1: Inter by Rasmus Andersson, Noto by Google,
          Newsreader by Production Type, Source Serif by Adobe, JetBrains Mono by JetBrains. Badges are
          measured for DejaVu Sans, and rare letters drawn with DejaVu, which is under the Bitstream Vera
          licence.
        </li>
        <li>
          Emoji: <a href="https://github.com/jdecked/twemoji">Twemoji</a>, copyright Twitter, Inc. and other
          contributors, under <a href="https://creativecommons.org/licenses/by/4.0/">CC-BY 4.0</a>. They are
          redrawn as parts of a card, otherwise unchanged.
        </li>
        <li>
          Icons of badges: <a href="https://simpleicons.org">Simple Icons</a>, under CC0 1.0. The marks remain
          those of their owners; that one can be drawn says nothing of an endorsement. Ask the owner before
          you use one for more than naming them.
        </li>
      </ul>
    </section>
  )
}
