/** @jsxImportSource #jsx */
import { Elysia } from 'elysia'
import type { PublicDocuments } from '../http/public-documents.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { headOf, layout } from './layout.tsx'
import { page } from './page.ts'

interface BotDeps {
  readonly product: string
  /** Requests to one domain. */
  readonly perMinute: number
  readonly documents: PublicDocuments
}

/** `GET /bot`: tells site owners what our fetcher requests and how to block it. */
export function bot({ product, perMinute, documents }: BotDeps) {
  const summary = 'About our fetcher, and how to keep it out.'
  return new Elysia({ name: 'bot' }).get(
    '/bot',
    ...page(documents, 'bot', summary, () => ({
      name: 'bot',
      write: (origin) => botPage(product, perMinute, origin),
    })),
  )
}

function botPage(product: string, perMinute: number, origin: string): Markup {
  const head = { ...headOf('bot', origin), title: `${product}, the fetcher of Mintmark` }
  return layout(
    head,
    <article class="prose">
      <h1>{product}</h1>
      <p>
        You found {product} in your logs because somebody asked this service for a preview of one of your
        pages, or for the robots.txt, sitemap.xml and llms.txt of your site.
      </p>
      <h2>What it does</h2>
      <ul>
        <li>
          It fetches a page only when a person or a program asks for it, and remembers the answer for minutes
          to hours.
        </li>
        <li>
          A preview is one request, one more for each redirect, and one for the oEmbed of a page of a video, a
          sound or a picture that names no author. A site bundle is at most 48 requests, two at a time, of
          which 20 are pages.
        </li>
        <li>
          It sends one domain, subdomains included, at most {perMinute} requests a minute over everyone who
          uses this service, and at most {Math.floor(perMinute / 5)} of them for calls without a key.
          Redirects and every part of a site bundle count.
        </li>
        <li>
          It runs no scripts, loads no pictures or other parts of a page, and sends no referer. A site gets
          back cookies that it sets on the way to a page; they are forgotten once the page is read.
        </li>
        <li>
          It reads at most 2 MiB of a page and 50 MiB of sitemaps, 1 MiB of a document for calls without a
          key, and waits for at most ten seconds.
        </li>
      </ul>
      <h2>How to keep it out</h2>
      <p>
        When it looks at a whole site it reads robots.txt first and obeys it, as RFC 9309 says. These lines in
        your robots.txt keep it from every page:
      </p>
      <pre>
        <code>{`User-agent: ${product}\nDisallow: /\n`}</code>
      </pre>
      <p>
        A preview of a single page that somebody names is fetched on their behalf, like a visit with a
        browser. The operator of this service can deny a domain altogether: ask them, and nothing of it will
        be fetched again.
      </p>
      <p>Requests come with a User-Agent that begins with {product}.</p>
    </article>,
  )
}
