/** @jsxImportSource #jsx */
import { errorCodes, type Problem } from '../errors.ts'
import type { RequestContext } from '../http/request-context.ts'
import { htmlResponse } from '../http/responses.ts'
import { acceptedTypes } from '../lib/accepted-types.ts'
import type { Child, Markup } from '../lib/jsx/markup.ts'
import { siteAssets } from './assets.ts'
import links from './data/links.json' with { type: 'json' }
import pages from './data/pages.json' with { type: 'json' }
import { fontPreloads } from './fonts/fonts.tsx'
import { breakable, docsSearch, linkList, textBlock } from './parts/elements.tsx'
import { brandMark } from './parts/icons.tsx'
import { picturePath } from './pictures.ts'
import { errorCards, sharePath, shareSize } from './sample-pictures.ts'

export interface DocumentHead {
  readonly title: string
  readonly description: string
  readonly origin: string
  /** Path of this page, starting with a slash; undefined for a page that is shown at any path, such as an error. */
  readonly path?: string
  readonly markdownPath?: string
  /** The name of the page's Open Graph card; the home page's if missing. */
  readonly shareName?: string
}

export function headOf(shareName: keyof typeof pages, origin: string): DocumentHead {
  const { title, description, path } = pages[shareName]
  return { title, description, origin, path, shareName }
}

export function layout(head: DocumentHead, children: Child): Markup {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{head.title}</title>
        <meta name="description" content={head.description} />
        {head.path !== undefined && <link rel="canonical" href={`${head.origin}${head.path}`} />}
        {head.markdownPath !== undefined && (
          <link rel="alternate" type="text/markdown" href={head.markdownPath} />
        )}
        <link rel="icon" href="/favicon.ico" sizes="32x32" />
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="/apple-touch-icon.png" />
        {fontPreloads(['inter', 'newsreader'])}
        <link rel="stylesheet" href={siteAssets.path('site.css')} />
        <script type="module" src={siteAssets.path('site.js')} />
        {head.path !== undefined && shareTags(head)}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top wrap">
          <a class="brand" href="/">
            {brandMark()}Mintmark
          </a>
          <nav aria-label="Site">
            {links.navigation.map(([href, label]) => (
              <a href={href} aria-current={href === head.path && 'page'}>
                {label}
              </a>
            ))}
          </nav>
          <a class="btn primary" href="/docs#keys">
            Get a key
          </a>
        </header>
        <main class="wrap" id="main">
          {children}
        </main>
        <footer class="wrap">
          <span>Mintmark</span>
          {linkList(links.foot)}
        </footer>
      </body>
    </html>
  )
}

function shareTags({ title, description, origin, path, shareName = 'home' }: DocumentHead): Child {
  return [
    <meta property="og:type" content="website" />,
    <meta property="og:site_name" content="Mintmark" />,
    <meta property="og:title" content={title} />,
    <meta property="og:description" content={description} />,
    <meta property="og:url" content={`${origin}${path}`} />,
    <meta property="og:image" content={`${origin}${sharePath(shareName)}`} />,
    <meta property="og:image:type" content="image/png" />,
    <meta property="og:image:width" content={String(shareSize.widthPx)} />,
    <meta property="og:image:height" content={String(shareSize.heightPx)} />,
    <meta property="og:image:alt" content={title} />,
    <meta name="twitter:card" content="summary_large_image" />,
  ]
}

/** The page for somebody whose page has a problem; undefined for a caller that names no HTML. */
export function problemPage(problem: Problem, context: RequestContext): Response | undefined {
  const types = acceptedTypes(context.request.headers.get('accept'))
  if (!types.includes('text/html') || types.includes('application/json')) return undefined
  return htmlResponse(context.method === 'HEAD' ? null : problemArticle(problem, context), {
    status: problem.status,
    headers: { 'cache-control': 'no-store', vary: 'Accept', 'x-robots-tag': 'noindex', ...problem.headers },
  })
}

function problemArticle({ message, code }: Problem, { baseUrl, path }: RequestContext): Markup {
  const title = code === 'not_found' ? 'Not found' : errorCodes[code].title
  const head = { title: `${title} · Mintmark`, description: message, origin: baseUrl }
  const [light, dark] = errorCards
  return layout(
    head,
    <article class="prose">
      <picture>
        <source media="(prefers-color-scheme: dark)" srcset={picturePath(dark)} />
        <img src={picturePath(light)} alt="" width="480" height="252" />
      </picture>
      <h1>{title}</h1>
      <p>{message}</p>
      {textBlock('Path', breakable(path))}
      {docsSearch()}
      <ul>
        {links.problem.map(([before, href, label, after]) => (
          <li>{[before, <a href={href}>{label}</a>, after]}</li>
        ))}
      </ul>
    </article>,
  )
}
