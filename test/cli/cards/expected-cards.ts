/** The site that every generator of `test/fixtures/generators` builds: our own words about a small harbour. */
const site = { name: 'Harbour Handbook', url: 'https://harbour.example' }

interface SitePage {
  readonly title: string
  readonly description: string
}

const home: SitePage = {
  title: site.name,
  description: 'How a small harbour runs its tides, berths and boats.',
}
const tideTable: SitePage = {
  title: 'Read a tide table',
  description: 'Four numbers a day tell you when the bar can be crossed & when it cannot.',
}
const berthSignals: SitePage = {
  title: 'Berth signals: lamps, flags and “wait”',
  description: 'Every signal of the pier head, and what a skipper does when it is shown.',
}
const quietWinter: SitePage = {
  title: 'A quieter winter at the north pier',
  description: 'New rubber fenders took away the noise that kept the street awake.',
}
const newCrane: SitePage = {
  title: 'The new crane lifts twice the weight',
  description: 'Ten tonnes instead of five, and no more waiting for the spring tide.',
}
/** Its text: the first paragraph is the whole of it. */
const craneText =
  'The crane came by barge on a Sunday. It lifts ten tonnes, which is every boat that winters here.'
const arabicWelcome: SitePage = {
  title: 'أهلاً بكم في الميناء',
  description: 'كل ما يحتاج إليه الزائر ليلته الأولى في الميناء.',
}
const japaneseWelcome: SitePage = {
  title: '港へようこそ',
  description: '初めての夜に来訪者が知っておくこと。',
}

/** The parameters of a card. */
export type Card = Readonly<Record<string, string>>

/** A site as a person sees it who reads its pages: the cards that they should get. */
export interface ExpectedSite {
  /** The base that is given to the command; undefined where it finds `base` by itself. */
  readonly givenBase?: string
  readonly base: string
  /** Every page names one picture, which its card replaces. */
  readonly hasDefaultPicture?: true
  /** Cards by the file of their page. */
  readonly cards: Readonly<Record<string, Card>>
  /** How many pages are left alone, by the reason. Every page of a site has a card or is counted here. */
  readonly leftAlone: Readonly<Record<string, number>>
}

const url = 'harbour.example'
const root = `${site.url}/`

function card({ title, description }: SitePage, more: Card = {}): Card {
  return { title, subtitle: description, url, lang: 'en', ...more }
}

/** A page that its generator makes by itself. */
function listing(title: string, more: Card = {}): Card {
  return { title, url, lang: 'en', ...more }
}

const crane = card(newCrane, { author: 'Idris Okafor · 3 May 2026' })
const winter = card(quietWinter, { author: 'Maren Holt · 14 February 2026' })
const arabic = card(arabicWelcome, { lang: 'ar' })
/** Pages that most of the sites have. */
const usual = {
  'index.html': card(home),
  'docs/guides/tide-table/index.html': card(tideTable),
  'docs/reference/berth-signals/index.html': card(berthSignals),
  'blog/quiet-winter/index.html': winter,
  'blog/new-crane/index.html': crane,
}
const usualLeftAlone = { 'not found page': 1, noindex: 1, redirect: 1 }

/** Pages under names such as `docs/guides/tide-table.html`. */
function flat(cards: ExpectedSite['cards']): ExpectedSite['cards'] {
  return Object.fromEntries(
    Object.entries(cards).map(([file, each]) => [file.replace(/\/index\.html$/, '.html'), each]),
  )
}

function withAll(cards: ExpectedSite['cards'], more: Card): ExpectedSite['cards'] {
  return Object.fromEntries(Object.entries(cards).map(([file, each]) => [file, { ...each, ...more }]))
}

/** Expectations by the name of the site's fixture. */
export const expectedSites: Readonly<Record<string, ExpectedSite>> = {
  astro: {
    base: root,
    hasDefaultPicture: true,
    cards: { ...usual, 'ar/index.html': arabic },
    leftAlone: usualLeftAlone,
  },
  docusaurus: {
    base: `${root}handbook/`,
    hasDefaultPicture: true,
    cards: {
      'index.html': card(home),
      'ar/index.html': arabic,
      'docs/guides/tide-table/index.html': card(tideTable),
      'docs/reference/berth-signals/index.html': card(berthSignals),
      'blog/2026/02/14/quiet-winter/index.html': winter,
      'blog/2026/05/03/new-crane/index.html': crane,
      'blog/archive/index.html': listing('Archive'),
      'blog/tags/index.html': listing('Tags'),
      // Texts and authors in a list are of its posts, of which the newest stands first.
      'blog/index.html': listing('Blog', { subtitle: craneText }),
      'blog/tags/works/index.html': listing('2 posts tagged with "works"', { subtitle: craneText }),
    },
    leftAlone: usualLeftAlone,
  },
  eleventy: { base: root, cards: { ...usual, 'ar/index.html': arabic }, leftAlone: usualLeftAlone },
  gatsby: {
    base: root,
    cards: { ...usual, 'ar/index.html': arabic },
    // 404.html is there twice, and a folder of the generator holds a piece of pages: two scripts.
    leftAlone: { ...usualLeftAlone, 'not found page': 2, 'no markup': 1 },
  },
  hugo: {
    base: root,
    cards: {
      ...usual,
      // The author is in the text alone, where nothing tells a name from other words.
      'blog/quiet-winter/index.html': card(quietWinter, {
        author: `${site.name} · 14 February 2026`,
        eyebrow: 'Blog',
      }),
      'blog/new-crane/index.html': card(newCrane, { author: `${site.name} · 3 May 2026`, eyebrow: 'Blog' }),
      'docs/guides/tide-table/index.html': card(tideTable, { eyebrow: 'Docs' }),
      'docs/reference/berth-signals/index.html': card(berthSignals, { eyebrow: 'Docs' }),
      'ar/index.html': listing('دليل الميناء', { lang: 'ar' }),
      'ar/welcome/index.html': arabic,
      'blog/index.html': listing('Blogs'),
      'crew/index.html': listing('Crews'),
      'docs/index.html': listing('Docs'),
    },
    leftAlone: { 'not found page': 2, noindex: 1, redirect: 2 },
  },
  jekyll: {
    base: `${root}handbook/`,
    cards: {
      'index.html': card(home),
      'docs/guides/tide-table/index.html': card(tideTable),
      'docs/reference/berth-signals/index.html': card(berthSignals),
      '2026/02/14/quiet-winter/index.html': winter,
      'ar/welcome/index.html': arabic,
    },
    leftAlone: { ...usualLeftAlone, 'own picture': 1 },
  },
  mkdocs: {
    base: root,
    // The theme writes descriptions on the front page alone, and the language of the site on every page.
    cards: {
      'index.html': card(home),
      'guides/tide-table/index.html': card({
        ...tideTable,
        description:
          'Every row has two high waters and two low waters. Times are in local time, heights in metres above chart datum.',
      }),
      'reference/berth-signals/index.html': card({
        ...berthSignals,
        description:
          'Two green lamps mean that the berth is free. One red lamp means that somebody else comes out first.',
      }),
      'news/quiet-winter/index.html': card({
        ...quietWinter,
        description:
          'For eleven winters the old tyres squealed at every swell. In January we hung rubber fenders, and the street slept.',
      }),
      'news/new-crane/index.html': card({ ...newCrane, description: craneText }),
      'ja/welcome/index.html': card({
        ...japaneseWelcome,
        description:
          '到着の一時間前に港湾事務所へ連絡してください。事務所は午前六時から午後八時まで開いています。',
      }),
    },
    leftAlone: { 'not found page': 1 },
  },
  next: {
    base: root,
    cards: withAll(
      { ...flat(usual), 'index.html': card(home), 'ar.html': arabic },
      // The theme colour that the pages give to browsers.
      { accent: '#0b3d5c' },
    ),
    // Pages of errors say noindex.
    leftAlone: { noindex: 3, redirect: 1 },
  },
  nuxt: {
    givenBase: root,
    base: root,
    cards: { ...usual, 'ar/index.html': arabic },
    // One is 200.html, an empty page that servers send where there is no file.
    leftAlone: { ...usualLeftAlone, 'not found page': 2 },
  },
  plain: {
    base: root,
    cards: {
      'index.html': card(home),
      'tides.html': card(tideTable, { lang: 'en-GB' }),
      'signals.htm': card(berthSignals),
      'winter.xhtml': winter,
      'crane.html': crane,
      'ja.html': card(japaneseWelcome, { lang: 'ja' }),
    },
    leftAlone: { redirect: 1, noindex: 1, 'not found page': 1 },
  },
  starlight: {
    base: root,
    cards: {
      'index.html': card(home),
      'guides/tide-table/index.html': card(tideTable),
      'reference/berth-signals/index.html': card(berthSignals),
      'news/quiet-winter/index.html': card(quietWinter),
      'news/new-crane/index.html': card(newCrane),
      'ar/guides/welcome/index.html': arabic,
      // Pages without a translation show the English text in the Arabic frame.
      'ar/index.html': card(home, { lang: 'ar' }),
      'ar/guides/tide-table/index.html': card(tideTable, { lang: 'ar' }),
      'ar/reference/berth-signals/index.html': card(berthSignals, { lang: 'ar' }),
      'ar/news/quiet-winter/index.html': card(quietWinter, { lang: 'ar' }),
      'ar/news/new-crane/index.html': card(newCrane, { lang: 'ar' }),
    },
    leftAlone: { ...usualLeftAlone, noindex: 2 },
  },
  sveltekit: {
    base: root,
    cards: {
      ...flat(usual),
      'index.html': card(home),
      'blog/quiet-winter.html': { ...winter, eyebrow: 'Works' },
      'blog/new-crane.html': { ...crane, eyebrow: 'Works' },
      'ja.html': card(japaneseWelcome, { lang: 'ja' }),
    },
    leftAlone: usualLeftAlone,
  },
  vitepress: {
    base: root,
    hasDefaultPicture: true,
    cards: {
      ...withAll(
        {
          'index.html': card(home),
          'guides/tide-table.html': card(tideTable),
          'reference/berth-signals.html': card(berthSignals),
          // The theme shows neither authors nor dates.
          'blog/quiet-winter.html': card(quietWinter),
          'blog/new-crane.html': card(newCrane),
        },
        { lang: 'en-GB' },
      ),
      'ar/welcome.html': arabic,
    },
    leftAlone: usualLeftAlone,
  },
}
