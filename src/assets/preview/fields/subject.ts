import { type LinkedData, textOf, typesOf } from '../linked-data.ts'
import { metaContents, oncePerPage, type PreviewedPage } from '../rule.ts'
import { letters } from '../site-identity.ts'

/** Whether the primary JSON-LD node is about the page rather than about a clip that is embedded in it. */
export function isAboutPage(page: PreviewedPage): boolean {
  const { primary } = page.linkedData
  if (primary === undefined || !typesOf(primary).some((type) => clipTypes.has(type))) return true
  return (
    mayBeVideoPage(page) && (isVideo(page) || isNamed(page, primary) || page.url === textOf(primary['url']))
  )
}

const clipTypes: ReadonlySet<string> = new Set(['VideoObject', 'AudioObject', 'Clip'])

/** Whether the page says that it is a video, or does not say what it is. */
export function mayBeVideoPage(page: PreviewedPage): boolean {
  const type = metaContents(page, 'og:type', 'name', 1)[0]
  return type === undefined || /^(?:video|music|website|object)\b/i.test(type)
}

function isVideo(page: PreviewedPage): boolean {
  const [type = ''] = metaContents(page, 'og:type', 'name', 1)
  const [card] = metaContents(page, 'twitter:card', 'name', 1)
  return /^(?:video|music)\b/i.test(type) || card === 'player'
}

function isNamed(page: PreviewedPage, primary: NonNullable<LinkedData['primary']>): boolean {
  const name = letters(textOf(primary['name'] ?? primary['headline']) ?? '')
  const titles = [page.metadata.title ?? '', ...page.metadata.headings.map(({ text }) => text)].map(letters)
  return name !== '' && titles.some((title) => title.includes(name))
}

/** Days that JSON-LD says are those of an event, a birth, an end and the like. */
export const eventDays = oncePerPage(({ linkedData: { nodes } }): ReadonlySet<string> => {
  const days = nodes.flatMap((node) => eventKeys.map((key) => textOf(node[key])?.slice(0, 10)))
  return new Set(days.filter((day) => day !== undefined))
})

const eventKeys = [
  'startDate',
  'endDate',
  'doorTime',
  'validThrough',
  'expires',
  'birthDate',
  'deathDate',
  'foundingDate',
  'dissolutionDate',
]
