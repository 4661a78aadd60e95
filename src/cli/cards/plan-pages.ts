import {
  cardTexts,
  chosenTemplate,
  fitText,
  fittingTemplates,
  templateTexts,
} from '../../assets/card/card-facts.ts'
import { templateChoices } from '../../assets/card/query.ts'
import { og } from '../../assets/og/asset.ts'
import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import { mayNeedManyFonts, withFontCount } from '../../assets/og/font-bound.ts'
import type { FontQuery } from '../../assets/og/query.ts'
import { templateOf, templateParameters, usualTemplate } from '../../assets/og/templates.ts'
import { Problem } from '../../errors.ts'
import { createRequestParser } from '../../http/request-parser.ts'
import { saidOnly } from '../../lib/json.ts'
import { canonicalQuery, type QueryPair } from '../../lib/query-pairs.ts'
import type { CardsRun, WantedCard } from './cards-run.ts'
import { type PageFacts, withoutPicture } from './page-facts.ts'
import { isFrontPage } from './page-path.ts'
import { type FolderPage, presentFacts } from './read-pages.ts'
import type { SiteFacts } from './site-facts.ts'

export type PagePlan = CardPlan | { readonly page: FolderPage; readonly leftAlone: LeftAlone }

export interface CardPlan {
  readonly page: FolderPage
  readonly card: WantedCard
  readonly title: string
  readonly description: string | undefined
  readonly facts: PageFacts
  readonly isReplaced: boolean
  readonly warnings: readonly string[]
}

export type LeftAlone = NonNullable<PageFacts['leftAlone']> | 'own picture' | 'not found page'

export interface SitePlan {
  readonly pages: readonly FolderPage[]
  readonly planOf: (page: FolderPage) => Promise<PagePlan>
  readonly site: SiteFacts
}

export function reasonToSkip({ file, known }: FolderPage, all: true | undefined): LeftAlone | undefined {
  const { leftAlone } = known.facts
  if (leftAlone === 'no markup') return leftAlone
  if (all) return undefined
  const isKnown = leftAlone !== undefined && leftAlone !== 'fragment'
  return !isKnown && errorPage.test(file) ? 'not found page' : leftAlone
}

/** Pages that servers send for one that is missing, also of a language; 200.html is the empty page of an application. */
const errorPage =
  /^(?:[a-z]{2}(?:[-_](?:[a-z]{2,4}|\d{3})){0,2}\/)?(?:200|404|500|_not-found|_error)(?:\/index)?\.x?html?$/i

type CardReader = ReturnType<typeof createCardReader>

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
  const names: ReadonlySet<string> = new Set(Object.keys(og.query.properties))
  return {
    names: { all: names, ofPages: names.difference(ofRun) },
    read(pairs: WantedCard['pairs']): WantedCard {
      const parsed = parser.read({ path: og.path, rawQuery: canonicalQuery(pairs), logFields: {} })
      return { pairs, parsed }
    },
  }
}

const ofRun = new Set('format quality width size overflow brand cacheSeconds'.split(' '))

/**
 * Returns what decides whether a page gets a card, and which. A plan is made when its page's turn comes, because plans of a
 * hundred thousand pages would fill the memory. It throws an Error that says what is wrong with the words of the page.
 */
export function createPagePlanner(run: CardsRun, site: SiteFacts) {
  const { origin } = run
  const { hostname } = new URL(site.base)
  const reader = createCardReader(origin.brands)
  const { names } = reader
  return async (page: FolderPage): Promise<PagePlan> => {
    const { file } = page
    const facts = site.ownFacts(file, presentFacts(page.known))
    const leftAlone = reasonToSkip(page, run.all) ?? ownPicture(facts, site, run)
    if (leftAlone !== undefined) return { page, leftAlone }
    const word = facts.words['template']
    if (word !== undefined && !templateChoices.some((name) => name === word))
      throw new Error(wordFault('template', `must be one of ${templateChoices.join(', ')}`, facts))
    const theme = run.look.themes.find(({ section }) => file.startsWith(section))
    const look = new Map([...run.look.parameters, ...(theme === undefined ? [] : [theme.parameter])])
    const brand = origin.pagePictures?.brandOf(facts, look.get('brand'))
    if (brand !== undefined) look.set('brand', brand)
    const around = { host: hostname, name: site.name, titleParts: site.titlePartsAt(file) }
    const texts = cardTexts(facts, around, isFrontPage(file))
    const { template, texts: templated } = chosenTemplate(
      { texts: saidOnly(texts), templates: templateTexts(facts, around), auto: fittingTemplates(facts) },
      word ?? look.get('template'),
      brand !== undefined,
    )
    const words = Object.entries(facts.words)
    // The page's own words, else what it says, in the look that its place has.
    const all = new Map([
      ...Object.entries({ ...templated, overflow: 'ellipsis' }).filter(([, value]) => value !== ''),
      ...look,
      ...(template === undefined ? [] : [['template', template] as const]),
      // An empty word leaves a part out. A card has a title.
      ...words.filter(
        ([name, value]) =>
          names.ofPages.has(name) && !ofTemplates.has(name) && (name !== 'title' || value.trim() !== ''),
      ),
    ])
    const face = origin.pagePictures?.faceOf(facts)
    if (face !== undefined && !all.has('face') && templateOf(template)?.parameters['face'] !== undefined)
      all.set('face', face)
    // A brand may have another template for cards that name none.
    if (!all.has('brand') && template === usualTemplate) all.delete('template')
    const parameters = [...all].flatMap(([name, value]): readonly QueryPair[] =>
      names.all.has(name) && value !== '' ? [[name, fitText(name, value)]] : [],
    )
    const unknownWords = words.filter(([name]) => !names.ofPages.has(name))
    const isReplaced = facts.picture !== undefined
    return {
      page,
      card: readCard(reader, await cutToFonts(parameters), facts),
      title: texts.title,
      description: texts.subtitle || undefined,
      facts: isReplaced ? withoutPicture(facts) : facts,
      isReplaced,
      warnings: [
        ...unknownWords.map(([name]) => `mintmark:${name} is no parameter of a card`),
        ...(word === undefined || word === 'auto' || word === template
          ? []
          : [`lacks what the template ${word} needs; its card is the usual one`]),
        ...(facts.title === undefined ? [`has no title; its card says ${JSON.stringify(texts.title)}`] : []),
      ],
    }
  }
}

async function cutToFonts(parameters: WantedCard['pairs']): Promise<WantedCard['pairs']> {
  const texts: FontQuery = Object.fromEntries(parameters)
  if (!mayNeedManyFonts(texts)) return parameters
  const cut: Readonly<Record<string, string | undefined>> = await withFontCount((count) =>
    count.cutToFonts(texts),
  )
  return parameters.flatMap(([name]): readonly QueryPair[] => {
    const value = cut[name]
    return value === undefined ? [] : [[name, value]]
  })
}

function readCard(reader: CardReader, parameters: WantedCard['pairs'], facts: PageFacts): WantedCard {
  try {
    return reader.read(parameters)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const mistakes = error.errors.map(({ parameter, message }) => wordFault(parameter, message, facts))
    throw new Error(mistakes.join('; ') || error.message, { cause: error })
  }
}

/** Names a parameter as the page does, with its line, where it comes from there. */
function wordFault(parameter: string, message: string, { words, wordLines }: PageFacts): string {
  return parameter in words
    ? `mintmark:${parameter} ${message} (line ${wordLines?.[parameter]})`
    : `${parameter} ${message}`
}

function ownPicture(
  { picture }: PageFacts,
  { defaultPictures }: SiteFacts,
  { replace, keepDefault }: CardsRun,
): 'own picture' | undefined {
  if (picture === undefined || replace) return undefined
  return !keepDefault && defaultPictures.has(picture) ? undefined : 'own picture'
}

function unused(): never {
  throw new Error('Cards are only planned here.')
}

/** Words that belong to the template, which takes them itself. */
const ofTemplates: ReadonlySet<string> = new Set(['template', ...templateParameters])
