import { existsSync, readFileSync } from 'node:fs'
import tables from './hostile-texts.json' with { type: 'json' }

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
  ...(tables.pages as unknown as readonly Recipe[]),
  ...lists.flatMap((file): Recipe[] =>
    JSON.parse(readFileSync(file, 'utf8')).cases.map(({ id, parts }: Case): Recipe => [id, ...parts.flat()]),
  ),
  ['authors', `<meta name="author" content="${'a'.repeat(8_000)}">`, 200],
  ['author-tags', `<meta name="author" content="${'<a&lt;b'.repeat(1_000)}">`, 200],
  ['rdfa', `<b property="${'dc:date '.repeat(100)}" content="${'1 '.repeat(1_000)}">`, 700],
  ['keywords', `<meta name="keywords" content="${'a,'.repeat(4_000)}">`, 250],
  ['properties', `<meta property="${'a '.repeat(2_000)}" content="${' '.repeat(4_000)}">`, 240],
  ['refresh', `<meta http-equiv="refresh" content="${' '.repeat(8_000)}x">`, 200],
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
