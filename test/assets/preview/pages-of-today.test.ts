import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'
import type { PageFields } from '../../../src/assets/preview/preview.ts'
import cases from './pages-of-today.json' with { type: 'json' }

/** Labels of a person: several texts where each would do, an empty list where the page says nothing. */
interface Labels {
  readonly title?: readonly string[]
  readonly description?: readonly string[]
  readonly site_name?: readonly string[]
  readonly authors?: readonly string[]
  /** A day. */
  readonly published?: string | null
  readonly image?: readonly string[]
  readonly lang?: string | null
  readonly type?: string
}

interface LabelledPage {
  readonly file: string
  readonly url: string
  readonly labels: Labels
}

const folder = new URL('../../fixtures/pages/', import.meta.url)
const pages: readonly LabelledPage[] = JSON.parse(readFileSync(new URL('index.json', folder), 'utf8'))

const judges: {
  readonly [Field in keyof Labels]-?: (found: PageFields, right: Required<Labels>) => boolean
} = {
  title: (found, right) => right.title.some((text) => plain(found.title).includes(plain(text))),
  description: (found, right) => isOneOf(found.description, right.description),
  site_name: (found, right) => isOneOf(found.site_name, right.site_name),
  authors: (found, right) => sorted(found.authors) === sorted(right.authors),
  published: (found, right) => (found.published?.slice(0, 10) ?? null) === right.published,
  image: (found, right) => isOneOf(found.image?.url ?? null, right.image),
  lang: (found, right) => found.lang === right.lang,
  type: (found, right) => found.type === right.type,
}

function isOneOf(found: string | null, right: readonly string[]): boolean {
  return right.length === 0 ? found === null : right.some((text) => plain(text) === plain(found))
}

function plain(text: string | null): string {
  return (text ?? '')
    .normalize('NFKC')
    .replace(/<[^<>]*>|\s+/g, ' ')
    .trim()
}

function sorted(names: readonly string[]): string {
  return names.map(plain).sort().join('+')
}

/** How many pages were right when this was written; a change of the rules may find more. */
const rightMin = cases.rightMin as Readonly<Record<keyof Labels, number>>

test('pages as generators of today write them are read at least as well as before, field by field', async () => {
  const wrong: Record<string, string[]> = {}
  const right: Record<string, number> = {}
  for (const { file, url, labels } of pages) {
    const parser = createPageParser({
      url,
      headers: {},
      contentType: 'text/html',
      nowMs: Date.parse('2026-11-28'),
    })
    await parser.write(readFileSync(new URL(file, folder)))
    const { fields } = await parser.finish()
    for (const [field, isRight] of Object.entries(judges)) {
      if (!(field in labels)) continue
      if (isRight(fields, labels as Required<Labels>)) right[field] = (right[field] ?? 0) + 1
      else wrong[field] = [...(wrong[field] ?? []), file]
    }
  }
  for (const [field, min] of Object.entries(rightMin))
    expect({
      field,
      right: right[field],
      wrong: wrong[field],
      isEnough: (right[field] ?? 0) >= min,
    }).toMatchObject({ isEnough: true })
})
