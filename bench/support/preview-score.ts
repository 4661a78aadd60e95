import type { QualityField } from './preview-quality-pages.ts'

export const verdicts = ['right', 'near', 'wrong', 'missing'] as const
export type Verdict = (typeof verdicts)[number]

/** How well what a reader found fits what people read off the page. */
export function verdictOf(field: QualityField, found: string | undefined, right: readonly string[]): Verdict {
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
