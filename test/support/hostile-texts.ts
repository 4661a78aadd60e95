import { existsSync, readFileSync } from 'node:fs'

/** A text that is there to keep a parser busy, or to make it grow. Every reader of foreign text is tested with all of them. */
export interface HostileText {
  readonly id: string
  readonly text: () => string
}

/** Its name, and pieces of its text, each with the number of its repetitions unless it is there once. */
type Recipe = readonly [id: string, ...parts: (string | number)[]]

interface Case {
  readonly id: string
  readonly parts: readonly (readonly [text: string, times: number])[]
}

const lists = ['../fixtures/preview/adversarial.json', '../../../shared/cases/preview/adversarial.json']
  .map((path) => new URL(path, import.meta.url))
  .filter((file) => existsSync(file))

const pages: readonly Recipe[] = [
  ...lists.flatMap((file): Recipe[] =>
    JSON.parse(readFileSync(file, 'utf8')).cases.map(({ id, parts }: Case): Recipe => [id, ...parts.flat()]),
  ),
  ['nested-close', '<div>', 60_000, '</p>', 400_000],
  ['attributes', '<meta ', 'a=b ', 500_000, '>'],
  ['same-attribute', '<meta ', 'content=x ', 200_000, '>'],
  ['metas', '<meta property="og:image" content="/a.png">', 45_000],
  [
    'image-structures',
    '<meta property="og:image" content="/a"><meta property="og:image:width" content="1">',
    20_000,
  ],
  ['links', '<link rel="alternate icon" href="/x" type="application/rss+xml">', 30_000],
  ['bylines', '<b class="author">x', 100_000],
  ['authors', `<meta name="author" content="${'a'.repeat(8_000)}">`, 200],
  ['author-tags', `<meta name="author" content="${'<a&lt;b'.repeat(1_000)}">`, 200],
  ['credits', '(Reporting by ', 150_000],
  ['credit-lines', '<p>Written by a, b, c and d; Editing by', 50_000],
  ['credit-of-spaces', '<p>Written by', ' ', 1_000_000, 'x'],
  ['home-links', '<a href="/">x y z', 100_000],
  ['rdfa', `<b property="${'dc:date '.repeat(100)}" content="${'1 '.repeat(1_000)}">`, 700],
  ['title-and-headings', '<title>', 'a | ', 2_000, '</title>', '<h1>a | b</h1>', 100_000],
  ['quotes', '<a href="', "'>", 1_000_000],
  ['spaces-in-tags', '<a', ' ', 1_000_000, '=', ' ', 1_000_000],
  ['slashes-in-tags', '<a', '/ ', 1_000_000],
  ['raw-ends', '<script>', '</scrip', 250_000],
  ['comment-ends', '<!--', '->--!', 400_000],
  ['references', '<p>', '&amp', 500_000],
  ['dates', '<span class="post-date">1 maybe 1 maybe 1234</span>', 40_000],
  ['title-parts', '<title>a | b - ', 150_000],
  ['logos', '<img class="logo" alt="a b c d e f">', 60_000],
  ['titles', '<title></title>', 130_000],
  ['headings', '<h1> ', 400_000],
  ['paragraphs', '<p>short', 250_000],
  ['linked-data-blocks', '<script type="application/ld+json">{"@type":"Article"}</script>', 30_000],
  [
    'linked-data-list',
    '<script type="application/ld+json">[',
    '{"@type":"Article"},',
    25_000,
    '{}]</script>',
  ],
  ['linked-data-broken', '<script type="application/ld+json">{', '"a":"\\x26",', 40_000, '</script>'],
  ['entities', '<title>', '&amp;amp;', 200_000],
  ['unclosed-comment', '<!--', 500_000],
  ['one-long-name', '<', 'x', 2_000_000],
  ['nuls', '\0', 2_000_000],
  [
    'linked-data-long-texts',
    '<script type="application/ld+json">{"@type":"Article","headline":"',
    'a ',
    200_000,
    '","keywords":"',
    'a,',
    50_000,
    '"}</script>',
  ],
  [
    'linked-data-many-keys',
    '<script type="application/ld+json">{"@type":"Article"',
    ',"a":[{}]',
    50_000,
    '}</script>',
  ],
  [
    'linked-data-chain',
    '<script type="application/ld+json">{"@id":"x","author":{"@id":"x"},"@type":"Person"}</script>',
    20,
  ],
  ['linked-data-arrays', '<script type="application/ld+json">', '[', 250_000, '</script>'],
  ['linked-data-slashes', '<script type="application/ld+json">{', '/ - < ', 20_000, '</script>'],
  ['keywords', `<meta name="keywords" content="${'a,'.repeat(4_000)}">`, 250],
  ['properties', `<meta property="${'a '.repeat(2_000)}" content="${' '.repeat(4_000)}">`, 240],
  ['refresh', `<meta http-equiv="refresh" content="${' '.repeat(8_000)}x">`, 200],
  ['charset-spaces', '<meta charset=', ' ', 60_000, '><meta charset=', ' ', 60_000, '>'],
  ['charset-metas', '<meta ', 300_000],
  ['lazy-images', `<img srcset="${'a, '.repeat(2_500)}">`, 250],
  ['classes', `<p class="${'author-'.repeat(1_000)}">`, 250],
  ['addresses', `<link rel="icon alternate" href="${'/..'.repeat(1_300)}">`, 400],
]

/** Tags that a parser with a stack might count wrongly. */
const unbalanced: readonly Recipe[] = [
  ['more-ends-than-beginnings', '</a></url>', 200_000],
  // Groups of 256 bytes: a reader that checks the depth every 32 KiB always looks just after ends. The last ends
  // match nothing.
  ['depth-hidden-by-ends', `${'<a>'.repeat(64)}${'</a>'.repeat(16)}`, 7_000, '</x>', 60_000],
  ['ends-of-nothing-in-a-deep-tree', `${'<a>'.repeat(15)}</b></c>`, 30_000, '</a>', 20],
  ['deep-names-in-turns', '<url><loc></url></loc>', 90_000],
  ['self-closing', '<a/></a><b/>', 160_000],
  ['prefixes', '<a:a:a:a:a:a:a></a:a:a:a:a:a:a>', 60_000],
]

export const hostileTexts: readonly HostileText[] = [
  ...new Map([...pages, ...unbalanced].map(([id, ...parts]) => [id, parts])),
].map(([id, parts]) => ({
  id,
  text: () =>
    parts.map((part, at) => (typeof part === 'string' ? part.repeat(timesOf(parts[at + 1])) : '')).join(''),
}))

function timesOf(next: string | number | undefined): number {
  return typeof next === 'number' ? next : 1
}
