import { existsSync, readFileSync } from 'node:fs'

/** A text that is there to keep a parser busy, or to make it grow. Every reader of foreign text is tested with all of them. */
export interface HostileText {
  readonly id: string
  readonly text: () => string
}

interface Recipe {
  readonly id: string
  readonly parts: readonly (readonly [text: string, times: number])[]
}

const lists = ['../fixtures/preview/adversarial.json', '../../../shared/cases/preview/adversarial.json']
  .map((path) => new URL(path, import.meta.url))
  .filter((file) => existsSync(file))

const pages: readonly Recipe[] = [
  ...lists.flatMap((file): readonly Recipe[] => JSON.parse(readFileSync(file, 'utf8')).cases),
  {
    id: 'nested-close',
    parts: [
      ['<div>', 60_000],
      ['</p>', 400_000],
    ],
  },
  {
    id: 'attributes',
    parts: [
      ['<meta ', 1],
      ['a=b ', 500_000],
      ['>', 1],
    ],
  },
  {
    id: 'same-attribute',
    parts: [
      ['<meta ', 1],
      ['content=x ', 200_000],
      ['>', 1],
    ],
  },
  { id: 'metas', parts: [['<meta property="og:image" content="/a.png">', 45_000]] },
  {
    id: 'image-structures',
    parts: [['<meta property="og:image" content="/a"><meta property="og:image:width" content="1">', 20_000]],
  },
  { id: 'links', parts: [['<link rel="alternate icon" href="/x" type="application/rss+xml">', 30_000]] },
  { id: 'bylines', parts: [['<b class="author">x', 100_000]] },
  { id: 'authors', parts: [[`<meta name="author" content="${'a'.repeat(8_000)}">`, 200]] },
  { id: 'author-tags', parts: [[`<meta name="author" content="${'<a&lt;b'.repeat(1_000)}">`, 200]] },
  { id: 'credits', parts: [['(Reporting by ', 150_000]] },
  { id: 'credit-lines', parts: [['<p>Written by a, b, c and d; Editing by', 50_000]] },
  {
    id: 'credit-of-spaces',
    parts: [
      ['<p>Written by', 1],
      [' ', 1_000_000],
      ['x', 1],
    ],
  },
  { id: 'home-links', parts: [['<a href="/">x y z', 100_000]] },
  { id: 'rdfa', parts: [[`<b property="${'dc:date '.repeat(100)}" content="${'1 '.repeat(1_000)}">`, 700]] },
  {
    id: 'title-and-headings',
    parts: [
      ['<title>', 1],
      ['a | ', 2_000],
      ['</title>', 1],
      ['<h1>a | b</h1>', 100_000],
    ],
  },
  {
    id: 'quotes',
    parts: [
      ['<a href="', 1],
      ["'>", 1_000_000],
    ],
  },
  {
    id: 'spaces-in-tags',
    parts: [
      ['<a', 1],
      [' ', 1_000_000],
      ['=', 1],
      [' ', 1_000_000],
    ],
  },
  {
    id: 'slashes-in-tags',
    parts: [
      ['<a', 1],
      ['/ ', 1_000_000],
    ],
  },
  {
    id: 'raw-ends',
    parts: [
      ['<script>', 1],
      ['</scrip', 250_000],
    ],
  },
  {
    id: 'comment-ends',
    parts: [
      ['<!--', 1],
      ['->--!', 400_000],
    ],
  },
  {
    id: 'references',
    parts: [
      ['<p>', 1],
      ['&amp', 500_000],
    ],
  },
  { id: 'dates', parts: [['<span class="post-date">1 maybe 1 maybe 1234</span>', 40_000]] },
  { id: 'title-parts', parts: [['<title>a | b - ', 150_000]] },
  { id: 'logos', parts: [['<img class="logo" alt="a b c d e f">', 60_000]] },
  { id: 'titles', parts: [['<title></title>', 130_000]] },
  { id: 'headings', parts: [['<h1> ', 400_000]] },
  { id: 'paragraphs', parts: [['<p>short', 250_000]] },
  {
    id: 'linked-data-blocks',
    parts: [['<script type="application/ld+json">{"@type":"Article"}</script>', 30_000]],
  },
  {
    id: 'linked-data-list',
    parts: [
      ['<script type="application/ld+json">[', 1],
      ['{"@type":"Article"},', 25_000],
      ['{}]</script>', 1],
    ],
  },
  {
    id: 'linked-data-broken',
    parts: [
      ['<script type="application/ld+json">{', 1],
      ['"a":"\\x26",', 40_000],
      ['</script>', 1],
    ],
  },
  {
    id: 'entities',
    parts: [
      ['<title>', 1],
      ['&amp;amp;', 200_000],
    ],
  },
  { id: 'unclosed-comment', parts: [['<!--', 500_000]] },
  {
    id: 'one-long-name',
    parts: [
      ['<', 1],
      ['x', 2_000_000],
    ],
  },
  { id: 'nuls', parts: [['\0', 2_000_000]] },
  {
    id: 'linked-data-long-texts',
    parts: [
      ['<script type="application/ld+json">{"@type":"Article","headline":"', 1],
      ['a ', 200_000],
      ['","keywords":"', 1],
      ['a,', 50_000],
      ['"}</script>', 1],
    ],
  },
  {
    id: 'linked-data-many-keys',
    parts: [
      ['<script type="application/ld+json">{"@type":"Article"', 1],
      [',"a":[{}]', 50_000],
      ['}</script>', 1],
    ],
  },
  {
    id: 'linked-data-chain',
    parts: [
      ['<script type="application/ld+json">{"@id":"x","author":{"@id":"x"},"@type":"Person"}</script>', 20],
    ],
  },
  {
    id: 'linked-data-arrays',
    parts: [
      ['<script type="application/ld+json">', 1],
      ['[', 250_000],
      ['</script>', 1],
    ],
  },
  {
    id: 'linked-data-slashes',
    parts: [
      ['<script type="application/ld+json">{', 1],
      ['/ - < ', 20_000],
      ['</script>', 1],
    ],
  },
  { id: 'keywords', parts: [[`<meta name="keywords" content="${'a,'.repeat(4_000)}">`, 250]] },
  {
    id: 'properties',
    parts: [[`<meta property="${'a '.repeat(2_000)}" content="${' '.repeat(4_000)}">`, 240]],
  },
  { id: 'refresh', parts: [[`<meta http-equiv="refresh" content="${' '.repeat(8_000)}x">`, 200]] },
  {
    id: 'charset-spaces',
    parts: [
      ['<meta charset=', 1],
      [' ', 60_000],
      ['><meta charset=', 1],
      [' ', 60_000],
      ['>', 1],
    ],
  },
  { id: 'charset-metas', parts: [['<meta ', 300_000]] },
  { id: 'lazy-images', parts: [[`<img srcset="${'a, '.repeat(2_500)}">`, 250]] },
  { id: 'classes', parts: [[`<p class="${'author-'.repeat(1_000)}">`, 250]] },
  { id: 'addresses', parts: [[`<link rel="icon alternate" href="${'/..'.repeat(1_300)}">`, 400]] },
]

/** Tags that a parser with a stack might count wrongly. */
const unbalanced: readonly Recipe[] = [
  { id: 'more-ends-than-beginnings', parts: [['</a></url>', 200_000]] },
  {
    // Groups of 256 bytes: a reader that checks the depth every 32 KiB always looks just after ends. The last ends
    // match nothing.
    id: 'depth-hidden-by-ends',
    parts: [
      [`${'<a>'.repeat(64)}${'</a>'.repeat(16)}`, 7_000],
      ['</x>', 60_000],
    ],
  },
  {
    id: 'ends-of-nothing-in-a-deep-tree',
    parts: [
      [`${'<a>'.repeat(15)}</b></c>`, 30_000],
      ['</a>', 20],
    ],
  },
  { id: 'deep-names-in-turns', parts: [['<url><loc></url></loc>', 90_000]] },
  { id: 'self-closing', parts: [['<a/></a><b/>', 160_000]] },
  { id: 'prefixes', parts: [['<a:a:a:a:a:a:a></a:a:a:a:a:a:a>', 60_000]] },
]

export const hostileTexts: readonly HostileText[] = [
  ...new Map([...pages, ...unbalanced].map((recipe) => [recipe.id, recipe])).values(),
].map(({ id, parts }) => ({ id, text: () => parts.map(([text, times]) => text.repeat(times)).join('') }))
