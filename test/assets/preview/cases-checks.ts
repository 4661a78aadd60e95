import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { createPageParser, parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'
import { stallMsMax, watchEventLoop } from '../../support/event-loop-lag.ts'
import { hostileTexts } from '../../support/hostile-texts.ts'

interface PreviewCase {
  readonly file: string
  readonly url: string
  readonly content_type: string
  readonly expect: Readonly<Record<string, unknown>>
}

const folders = ['../../fixtures/preview/', '../../../../shared/cases/preview/']
  .map((path) => new URL(path, import.meta.url))
  .filter((folder) => existsSync(folder))

function read(folder: URL, name: string) {
  return readFileSync(new URL(name, folder))
}
function readJson(folder: URL, name: string) {
  return JSON.parse(read(folder, name).toString('utf8'))
}

/** The cases of all folders by id; a newer folder replaces a case of an older one. */
const cases = new Map<string, PreviewCase & { readonly folder: URL }>(
  folders.flatMap((folder) => {
    const listed: Record<string, PreviewCase> = readJson(folder, 'expected.json').cases
    return Object.entries(listed).map(([id, entry]) => [id, { ...entry, folder }] as const)
  }),
)

function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => (isRecord(inner) ? inner[key] : undefined), value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function matches(got: unknown, want: unknown): boolean {
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

async function parseInPieces(body: Uint8Array) {
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
  ...hostileTexts.map(
    ({ id, text }, index): Check => ({
      isSlow: index % 4 !== 0,
      name: `hostile page ${id} is read to an answer and lets others run`,
      async run() {
        const { value, stallMs } = await watchEventLoop(() => parseInPieces(Buffer.from(text())))
        const { fields } = value
        for (const field of [fields.title, fields.description, fields.author, fields.site_name])
          assert.ok((field ?? '').length <= 8_192)
        assert.ok(fields.images.length <= 20)
        assert.ok(stallMs < stallMsMax, `nothing else could run for ${stallMs} ms`)
      },
    }),
  ),
]
