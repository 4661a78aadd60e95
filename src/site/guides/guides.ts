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
  /** A picture below the introduction, of `sample-pictures.ts` or `example-brands.ts`: what the reader will have. */
  readonly picture?: string
}

export interface GuideGroup {
  readonly title: string
  readonly guides: readonly Guide[]
  /** True if the guides are for operators: documents for callers and crawlers leave them out. */
  readonly isForOperators?: boolean
}

function guide(slug: string, file: string, label: string, summary: string, picture?: string): Guide {
  return { slug, file: `docs/${file}.md`, label, summary, ...(picture !== undefined && { picture }) }
}

/** A guide whose file is named as its page is. */
function named(slug: string, label: string, summary: string, picture?: string): Guide {
  return guide(slug, slug, label, summary, picture)
}

function generator(slug: string, label: string, summary: string): Guide {
  return guide(slug, `generators/${slug}`, label, summary)
}

/** The guides in the order in which they follow one another. */
export const guideGroups: readonly GuideGroup[] = [
  {
    title: 'For your site',
    guides: [
      named('quick-start', 'Quick start', 'A line for each asset.', 'card-poster.svg'),
      named('built-sites', 'Built sites', 'Cards for every page, with one command.', 'card-paper.svg'),
      named('card-recipes', 'Cards in CI', 'An action for GitHub; GitLab, Netlify, Cloudflare, Vercel.'),
      named('signed-urls', 'Signed URLs', 'Pictures that stay valid for years.', 'card-grid.svg'),
      named('client', 'The client', 'Signs URLs and writes tags in your build.'),
      named('other-languages', 'Any language', 'Sign in Shell, Python, PHP, Ruby or Hugo.'),
      named('cards-of-pages', 'Cards of pages', 'One line in a template.', 'card-japanese.svg'),
      named('live-badges', 'Live badges', 'Badges that follow a JSON, YAML, TOML or XML document.'),
      named('moving', 'Migrating', 'From shields.io, badgen.net, ui-avatars or DiceBear.'),
      named('paying', 'Pay for a call', 'Single calls with a stablecoin, without an account.'),
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
      named('install', 'Install', 'With Docker or systemd.'),
      named('settings', 'Settings', 'Six to begin with, and all others.'),
      named('proxies', 'Proxies', 'Caddy, nginx, Traefik, Apache; a host or a path.'),
      named('cdn', 'A CDN in front', 'What it may keep, and for how long.'),
      named('keys', 'Keys', 'Issue, limit, end and rotate them.'),
      named('brands', 'Brands', 'Logo, colours and fonts on every card.', 'brand-saltmarsh-og.svg'),
      named('backups', 'Backups', 'Every hour, and how to restore one.'),
      named('monitoring', 'Alerts and metrics', 'What to watch, and what is sent to you.'),
      named('upgrades', 'Upgrades', 'To a new version, and back.'),
      guide('taking-payments', 'payments', 'Take payments', 'Sell single calls for a stablecoin.'),
      named('payment-failures', 'Payment failures', 'What each one means, and what to do.'),
      named('scaling', 'Scaling', 'More cores, or PostgreSQL.'),
      named('postgresql', 'Several servers', 'Over PostgreSQL with a standby.'),
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

/** Pages of guides that were divided: their slugs, titles, and for each of their anchors where its text is now. */
export const dividedGuides: Readonly<
  Record<string, { title: string; parts: Readonly<Record<string, string>> }>
> = {
  embedding: {
    title: 'Images in static sites',
    parts: {
      'any-built-site': 'built-sites',
      'the-command': 'built-sites#the-command',
      'signed-urls': 'signed-urls',
      'cards-of-pages': 'cards-of-pages',
      'without-a-signature-the-pages-of-your-site': 'cards-of-pages#2-get-a-site-id',
      'where-your-cards-are-shared': 'signed-urls#where-your-cards-are-shared',
      'the-client': 'client',
      'your-generator': 'guides',
      'other-languages': 'other-languages',
    },
  },
  operations: {
    title: 'Operations',
    parts: {
      install: 'install',
      'back-up': 'backups',
      'restore-and-drill-it': 'backups#restore-and-drill-it',
      'to-the-second-with-litestream': 'backups#to-the-second-with-litestream',
      'upgrade-and-go-back': 'upgrades',
      docker: 'install#with-docker',
      systemd: 'install#with-systemd',
      'behind-a-proxy': 'proxies',
      'below-a-path': 'proxies#below-a-path',
      'a-cdn-in-front': 'cdn',
      'what-to-watch': 'monitoring#metrics',
      alerts: 'monitoring#alerts',
      'make-a-brand-in-two-minutes': 'brands',
      'rotate-secrets': 'keys#rotate-secrets',
      'keys-on-the-command-line': 'keys#issue-a-key',
      'what-a-key-may-call': 'keys#limit-what-a-key-may-call',
      'several-workers-several-machines': 'scaling#more-cores-workers',
      'move-to-postgresql-or-back': 'scaling#move-to-postgresql-or-back',
      settings: 'settings#all-settings',
    },
  },
}
