/** A document of `docs/` that is a page under `/docs`. */
export interface Guide {
  /** Last part of the page's path: `/docs/<slug>`. */
  readonly slug: string
  /** Path of the Markdown file in this project. */
  readonly file: string
  /** Name in lists, shorter than the page's heading. */
  readonly label: string
  /** One sentence that says what the page is for. */
  readonly summary: string
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
  /** True if the guides are for operators: documents for callers and crawlers leave them out. */
  readonly isForOperators?: boolean
}

function guide(slug: string, file: string, label: string, summary: string): Guide {
  return { slug, file: `docs/${file}.md`, label, summary }
}

function generator(slug: string, label: string, summary: string): Guide {
  return guide(slug, `generators/${slug}`, label, summary)
}

/** The guides in the order in which they follow one another. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'For your site',
    guides: [
      guide(
        'embedding',
        'embedding',
        'Images in static sites',
        'One command for a built site, or signed URLs.',
      ),
      guide(
        'card-recipes',
        'card-recipes',
        'Cards in CI',
        'An action for GitHub; GitLab, Netlify, Cloudflare, Vercel.',
      ),
      guide('live-badges', 'live-badges', 'Live badges', 'Badges that follow a JSON, YAML or TOML document.'),
      guide('moving', 'moving', 'Migrating', 'From shields.io, badgen.net, ui-avatars or DiceBear.'),
    ],
  },
  {
    title: 'Generators',
    guides: [
      generator('astro', 'Astro', 'After the build, or a component.'),
      generator('starlight', 'Starlight', 'One command after the build.'),
      generator('eleventy', 'Eleventy', 'After the build, or a plugin.'),
      generator('next', 'Next', 'A static export, or metadata of a server.'),
      generator('docusaurus', 'Docusaurus', 'One command after the build.'),
      generator('vitepress', 'VitePress', 'One command after the build.'),
      generator('sveltekit', 'SvelteKit', 'With the static adapter.'),
      generator('nuxt', 'Nuxt', 'After the static build.'),
      generator('hugo', 'Hugo', 'After the build, or a partial.'),
      generator('jekyll', 'Jekyll', 'One command after the build.'),
      generator('wordpress', 'WordPress', 'One line in the theme.'),
      generator('ghost', 'Ghost', 'One line in the theme.'),
      generator('html', 'Plain HTML', 'Pages written by hand or by a program.'),
    ],
  },
  {
    title: 'Run your own',
    isForOperators: true,
    guides: [
      guide('operations', 'OPERATIONS', 'Operations', 'Install, back up, upgrade, proxies, settings.'),
      guide('taking-payments', 'payments', 'Payments', 'Take stablecoins for single calls.'),
      guide('scaling', 'SCALING', 'Scaling', 'From one machine to several.'),
      guide('reliability', 'RELIABILITY', 'Reliability', 'What was broken on purpose, and what happened.'),
      guide('glossary', 'glossary', 'Glossary', 'What the words mean.'),
    ],
  },
]

export const guides: readonly Guide[] = guideGroups.flatMap((group) => group.guides)

/** Guides for callers, which documents for callers and crawlers list. */
export const callerGuides: readonly Guide[] = guideGroups
  .filter(({ isForOperators = false }) => !isForOperators)
  .flatMap((group) => group.guides)

export function guidePath({ slug }: Guide): string {
  return `/docs/${slug}`
}

/** The path of the guide as Markdown. */
export function markdownPath(guide: Guide): string {
  return `${guidePath(guide)}.md`
}
