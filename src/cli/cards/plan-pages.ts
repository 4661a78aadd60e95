import { og } from '../../assets/og/asset.ts'
import type { CardBrands } from '../../assets/og/brand/card-brands.ts'
import { Problem } from '../../errors.ts'
import { createRequestParser } from '../../http/request-parser.ts'
import { canonicalQuery } from '../../lib/canonical-query.ts'
import type { WantedCard } from './card-source.ts'
import { presentFacts } from './facts-cache.ts'
import { type PageFacts, withoutPicture } from './page-facts.ts'
import { type CardLook, planCard } from './plan-card.ts'
import type { Failure, SitePage } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'

/** What to do with a page. */
export type PagePlan = CardPlan | { readonly page: SitePage; readonly leftAlone: LeftAlone }

export interface CardPlan {
  readonly page: SitePage
  readonly card: WantedCard
  readonly title: string
  /** Facts of the page without what the card replaces. */
  readonly facts: PageFacts
  readonly isReplaced: boolean
}

export type LeftAlone = 'own picture' | 'redirect' | 'noindex' | 'not found page' | 'no markup'

export interface PlanOptions {
  readonly look: CardLook
  /** Redirects, pages that no search engine may keep and pages of errors get a card too. */
  readonly isAll: boolean
  readonly isReplacing: boolean
  readonly keepsDefault: boolean
  readonly brands: CardBrands
}

export interface PlannedPages {
  readonly plans: readonly PagePlan[]
  readonly failures: readonly Failure[]
  readonly warnings: readonly string[]
}

/** Why a page gets no card whatever it says; undefined if it gets one. */
export function reasonToSkip({ file, known }: SitePage, isAll: boolean): LeftAlone | undefined {
  const { leftAlone } = known.facts
  if (leftAlone === 'no markup') return leftAlone
  if (isAll) return undefined
  return leftAlone ?? (errorPage.test(file) ? 'not found page' : undefined)
}

/** Pages that servers send in place of one that is missing. */
const errorPage = /(?:^|\/)(?:404|500|_not-found|_error)(?:\/index)?\.x?html?$/i

export type CardReader = ReturnType<typeof createCardReader>

/** Reads parameters of cards as the server does. Nothing is loaded that draws. */
export function createCardReader(brands: CardBrands) {
  const parser = createRequestParser([
    {
      asset: og,
      producer: {
        describe: unused,
        produce: unused,
        resolve({ brand }) {
          if (typeof brand !== 'string') return undefined
          const resolved = brands.resolve(brand)
          if (typeof resolved === 'string') return { parameter: 'brand', message: resolved }
          return { ...resolved, replaced: { brand: resolved.reference } }
        },
      },
    },
  ])
  const names = new Set(Object.keys(og.query.properties))
  return {
    names: { all: names, ofPages: names.difference(ofRun) },
    /** Throws a `Problem` that names every wrong parameter. */
    read(pairs: WantedCard['pairs']): WantedCard {
      const parsed = parser.read({ path: og.path, rawQuery: canonicalQuery(pairs), logFields: {} })
      return { pairs, parsed }
    },
  }
}

/** Parameters that hold for all cards of a run. */
const ofRun: ReadonlySet<string> = new Set([
  'format',
  'quality',
  'width',
  'size',
  'overflow',
  'brand',
  'cacheSeconds',
])

/** Decides for each page whether it gets a card, and which. */
export function planPages(
  pages: readonly SitePage[],
  site: SiteFacts,
  reader: CardReader,
  options: PlanOptions,
): PlannedPages {
  const failures: Failure[] = []
  const warnings: string[] = []
  const plans = pages.flatMap((page): readonly PagePlan[] => {
    const { file } = page
    const facts = presentFacts(page.known)
    const leftAlone = reasonToSkip(page, options.isAll) ?? ownPicture(facts, site, options)
    if (leftAlone !== undefined) return [{ page, leftAlone }]
    const { title, parameters, unknownWords } = planCard(file, facts, site, options.look, reader.names)
    for (const word of unknownWords) warnings.push(`${file}: mintmark:${word} is no parameter of a card`)
    if (facts.title === undefined)
      warnings.push(`${file}: has no title; its card says ${JSON.stringify(title)}`)
    try {
      const card = reader.read(parameters)
      const isReplaced = facts.picture !== undefined
      return [{ page, card, title, facts: isReplaced ? withoutPicture(facts) : facts, isReplaced }]
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      failures.push({ file, reason: mistakesOf(error, facts) })
      return []
    }
  })
  return { plans, failures, warnings }
}

function ownPicture(
  { picture }: PageFacts,
  { defaultPictures }: SiteFacts,
  { isReplacing, keepsDefault }: PlanOptions,
): 'own picture' | undefined {
  if (picture === undefined || isReplacing) return undefined
  return !keepsDefault && defaultPictures.has(picture) ? undefined : 'own picture'
}

function mistakesOf({ errors, message }: Problem, { words }: PageFacts): string {
  const texts = errors.map(
    (mistake) => `${mistake.parameter in words ? 'mintmark:' : ''}${mistake.parameter} ${mistake.message}`,
  )
  return texts.join('; ') || message
}

function unused(): never {
  throw new Error('Cards are only planned here.')
}
