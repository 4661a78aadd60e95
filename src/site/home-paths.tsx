/** @jsxImportSource #jsx */
import { shareCardOf } from '../client/share-card-of.ts'
import { escapeHtml, type Markup } from '../lib/jsx/markup.ts'
import { copiedCode } from './parts/copied-code.tsx'

interface Path {
  readonly title: string
  readonly text: string
  readonly code: string
  /** Guides that go on from here. */
  readonly links: readonly (readonly [href: string, label: string])[]
}

/** Three ways to a card, from the one that needs least to the one that can do most. */
export function homePaths(origin: string): Markup {
  return (
    <section id="paths">
      <h2>Three ways in</h2>
      <p>For a static build, a template or your own code.</p>
      <div class="paths">{pathsFor(origin).map(pathCard)}</div>
    </section>
  )
}

function pathCard({ title, text, code, links }: Path): Markup {
  return (
    <div class="card path">
      <h3>{title}</h3>
      <p>{text}</p>
      {copiedCode(title, code)}
      <p class="small">
        {links.map(([href, label], index) => [index > 0 && ' · ', <a href={href}>{label}</a>])}
      </p>
    </div>
  )
}

function pathsFor(origin: string): readonly Path[] {
  const card = `${origin}/api/og?title=Hello&author=Ada+Lovelace&demo=1`
  const image = escapeHtml(String(shareCardOf(new URL(card))?.url ?? card))
  return [
    {
      title: 'Any built site',
      text: 'One command after the build: every page gets its card and its tags. No server, no key.',
      code: '# every page of the folder\nmintmark cards ./dist\n\n# themes, brands, a sheet of all\nmintmark cards --help',
      links: [
        ['/docs/embedding#the-command', 'Get the command'],
        ['/docs/embedding', 'Options'],
        ['/docs/guides', 'Your generator'],
        ['/docs/card-recipes', 'In CI'],
      ],
    },
    {
      title: 'A URL',
      text: 'One line in a template. Demo URLs work at once; signed ones are for public pages.',
      code: `<meta property="og:image" content="${image}">`,
      links: [
        ['/docs/embedding#signed-urls', 'Signed URLs'],
        ['/docs/embedding#cards-of-pages', 'Cards of pages'],
      ],
    },
    {
      title: 'An API',
      text: 'Plain GET requests: a picture for each call, JSON for errors, OpenAPI for your client.',
      code: `curl -fsS -o card.png '${origin}/api/og.png?title=Hello&demo=1'\n\n# a key of your own\ncurl -fsS '${origin}/api/key'`,
      links: [
        ['/docs#quickstart', 'Quick start'],
        ['/docs', 'Reference'],
        ['/openapi.json', 'OpenAPI'],
      ],
    },
  ]
}
