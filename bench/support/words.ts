import { readFileSync } from 'node:fs'
import { cleanText } from '../../src/text/clean-text.ts'
import { randomFrom } from '../../test/support/random.ts'

/** The texts of a card. */
export interface Words {
  readonly title: string
  readonly subtitle: string
  readonly author: string
  readonly url: string
}

const vocabulary =
  'how we cut cold starts in half and why your avatar service should too a field report on caching glyph outlines honest benchmarks what measured failed shipped today notes from the north coast release faster builds smaller bundles design tokens explained gentle introduction to proofs every page gets card you write one command'.split(
    ' ',
  )

/** Cards that differ while their words repeat: the usual day of a site. */
export function knownWords(seed: number): () => Words {
  const { pick } = randomFrom(seed)
  return () => words(() => pick(vocabulary))
}

/** Cards in which no word was seen before. */
export function newWords(seed: number): () => Words {
  const { next, below } = randomFrom(seed)
  const letter = () => 'etaoinshrdlucmfwypvbgkjqxz'[Math.floor(next() ** 2 * 26)] ?? 'e'
  return () => words(() => Array.from({ length: 3 + below(6) }, letter).join(''))
}

function words(word: () => string): Words {
  function line(count: number, limit: number) {
    const text = Array.from({ length: count }, word).join(' ').slice(0, limit).trim()
    return text.charAt(0).toUpperCase() + text.slice(1)
  }
  return {
    title: line(11, 76),
    subtitle: line(17, 98),
    author: `${line(1, 12)} ${line(1, 12)}`,
    url: `${word()}.example.com`,
  }
}

const { cases }: { readonly cases: readonly { title: string; subtitle?: string }[] } = JSON.parse(
  readFileSync(new URL('../../test/fixtures/cards.json', import.meta.url), 'utf8'),
)
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cards that are all different, in every script of the card cases; each tenth in ideographs from everywhere. */
export function manyScriptWords(seed: number): () => Words {
  const { below } = randomFrom(seed)
  const sources = cases.map(({ title, subtitle = '' }) => partsOf(cleanText(`${title} ${subtitle}`)))

  /** Words of the source in any order, as long as at most `most` characters. */
  function mixed({ parts, glue }: Parts, most: number): string {
    const target = 1 + below(most)
    let text = ''
    while (text.length < target) text += parts[below(parts.length)] + glue
    return Array.from(text).slice(0, most).join('').trim() || 'A'
  }

  return () => {
    const scattered = Array.from({ length: 40 }, () => String.fromCharCode(0x4e00 + below(0x5200)))
    const source = below(10) === 0 ? undefined : sources[below(sources.length)]
    const parts = source ?? { parts: scattered, glue: '' }
    return {
      title: mixed(parts, 80),
      subtitle: mixed(parts, 110),
      author: mixed(parts, 24),
      url: `site-${below(400)}.example.com`,
    }
  }
}

interface Parts {
  readonly parts: readonly string[]
  readonly glue: string
}

/** Words where the script writes spaces, single characters where it does not. */
function partsOf(text: string): Parts {
  const words = text.split(' ').filter((word) => word !== '')
  const usesSpaces = words.length > text.length / 14
  if (usesSpaces) return { parts: words, glue: ' ' }
  return { parts: Array.from(segmenter.segment(text), ({ segment }) => segment), glue: '' }
}
