import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createPageParser } from '../../src/preview/page-parser.ts'
import { parsePreview } from '../../src/preview/parse-preview.ts'
import type { Check } from '../support/check.ts'

interface PreviewCase {
  readonly file: string
  readonly url: string
  readonly content_type: string
  readonly expect: Readonly<Record<string, unknown>>
}

interface HostileCase {
  readonly id: string
  readonly parts: readonly (readonly [string, number])[]
}

const folders = ['../fixtures/preview/', '../../../shared/cases/preview/']
  .map((path) => new URL(path, import.meta.url))
  .filter((folder) => existsSync(folder))

const read = (folder: URL, name: string) => readFileSync(new URL(name, folder))
const readJson = (folder: URL, name: string) => JSON.parse(read(folder, name).toString('utf8'))

/** The same facts in every folder are one check; a newer folder overrides. */
const cases = new Map<string, PreviewCase & { readonly folder: URL }>(
  folders.flatMap((folder) => {
    const listed: Record<string, PreviewCase> = readJson(folder, 'expected.json').cases
    return Object.entries(listed).map(([id, entry]) => [id, { ...entry, folder }] as const)
  }),
)

const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const matches = (got: unknown, want: unknown): boolean => {
  if (want === null)
    return got === null || got === undefined || got === '' || (Array.isArray(got) && got.length === 0)
  if (Array.isArray(want)) {
    return (
      Array.isArray(got) &&
      got.length === want.length &&
      want.every((item, index) => matches(got[index], item))
    )
  }
  if (isRecord(want))
    return isRecord(got) && Object.entries(want).every(([key, item]) => matches(got[key], item))
  return got === want
}

const hostile: readonly HostileCase[] = [
  ...new Map<string, HostileCase>(
    folders.flatMap((folder) =>
      readJson(folder, 'adversarial.json').cases.map((entry: HostileCase) => [entry.id, entry] as const),
    ),
  ).values(),
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
]

const build = ({ parts }: HostileCase) =>
  Buffer.from(parts.map(([text, times]) => text.repeat(times)).join(''))

/** Feeds a page in the pieces that a socket would give; counts how often other work could run in between. */
const parseInPieces = async (body: Uint8Array) => {
  const parser = createPageParser({ url: 'https://site.example.com/', headers: {}, contentType: 'text/html' })
  for (let start = 0; start < body.length; start += 16_384) {
    if (!(await parser.write(body.subarray(start, start + 16_384)))) break
  }
  return parser.finish()
}

export const checks: readonly Check[] = [
  ...[...cases].map(
    ([id, { folder, file, url, content_type, expect }]): Check => ({
      name: id,
      async run() {
        const preview = await parsePreview(read(folder, file), {
          url,
          headers: { 'content-type': content_type },
        })
        for (const [path, want] of Object.entries(expect)) {
          const got = at(preview, path)
          assert.ok(matches(got, want), `${path} is ${JSON.stringify(got)}, not ${JSON.stringify(want)}`)
        }
      },
    }),
  ),
  ...hostile.map(
    (entry): Check => ({
      name: `hostile page ${entry.id} is read to an answer`,
      async run() {
        const { fields } = await parseInPieces(build(entry))
        assert.ok((fields.title ?? '').length <= 8_192)
        assert.ok(fields.images.length <= 20)
      },
    }),
  ),
]
