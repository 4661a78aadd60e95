import { chosenTemplate } from '../../assets/card/card-facts.ts'
import { cardTexts, fitText, fittingTemplates, templateTexts } from '../../assets/card/card-texts.ts'
import { templateOf, templateParameters, usualTemplate } from '../../assets/og/templates.ts'
import { saidOnly } from '../../lib/json.ts'
import type { QueryPair } from '../../lib/query-pairs.ts'
import type { PageFacts } from './page-facts.ts'
import { isFrontPage } from './page-path.ts'
import type { SiteFacts } from './site-facts.ts'

/** The look of cards where no page says otherwise. */
export interface CardLook {
  readonly parameters: ReadonlyMap<string, string>
  /** Themes by the beginning of the page's path. */
  readonly themes: readonly { readonly section: string; readonly theme: string }[]
}

export interface ParameterNames {
  readonly all: ReadonlySet<string>
  /** The names that a page may give by its own words. */
  readonly ofPages: ReadonlySet<string>
}

/** Makes the parameters of a page's card: its own words, else what it says, in the look that its place has. */
export function planCard(
  file: string,
  facts: PageFacts,
  site: SiteFacts,
  look: CardLook,
  names: ParameterNames,
  { hasPicture, face }: { readonly hasPicture: boolean; readonly face: string | undefined },
) {
  const { hostname } = new URL(site.base)
  const around = { host: hostname, name: site.name, titleParts: site.titlePartsAt(file) }
  const texts = cardTexts(facts, around, isFrontPage(file))
  const { template, texts: templated } = chosenTemplate(
    { texts: saidOnly(texts), templates: templateTexts(facts, around), auto: fittingTemplates(facts) },
    facts.words['template'] ?? look.parameters.get('template'),
    hasPicture,
  )
  const said = { ...templated, overflow: 'ellipsis' }
  const [{ theme } = {}] = look.themes
    .filter(({ section }) => file.startsWith(section))
    .toSorted((one, other) => other.section.length - one.section.length)
  const words = Object.entries(facts.words)
  const all = new Map([
    ...Object.entries(said).filter(([, value]) => value !== ''),
    ...look.parameters,
    ...(template === undefined ? [] : [['template', template] as const]),
    ...(theme === undefined ? [] : [['theme', theme] as const]),
    // An empty word leaves a part out. A card has a title.
    ...words.filter(
      ([name, value]) =>
        names.ofPages.has(name) && !ofTemplates.has(name) && (name !== 'title' || value.trim() !== ''),
    ),
  ])
  if (face !== undefined && !all.has('face') && templateOf(template)?.parameters['face'] !== undefined)
    all.set('face', face)
  // A brand may have another template for cards that name none.
  if (!all.has('brand') && template === usualTemplate) all.delete('template')
  return {
    template,
    title: texts.title,
    parameters: [...all].flatMap(([name, value]): readonly QueryPair[] =>
      names.all.has(name) && value !== '' ? [[name, fitText(name, value)]] : [],
    ),
    unknownWords: words.map(([name]) => name).filter((name) => !names.ofPages.has(name)),
  }
}

/** Words that belong to the template, which takes them itself. */
const ofTemplates: ReadonlySet<string> = new Set(['template', ...templateParameters])
