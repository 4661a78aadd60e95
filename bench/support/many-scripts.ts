import { readFileSync } from 'node:fs'
import { cleanText } from '../../src/text/clean-text.ts'
import type { Words } from './peers.ts'
import { randomFrom } from './words.ts'

interface Case {
  readonly title: string
  readonly subtitle?: string
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(
  readFileSync(new URL('../../test/fixtures/cards.json', import.meta.url), 'utf8'),
)
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const firstIdeograph = 0x4e00
const ideographs = 0x5200

/** Cards that are all different, in every script of the card cases; each tenth in ideographs from everywhere. */
export function manyScriptWords(seed: number): () => Words {
  const random = randomFrom(seed)
  function below(limit: number) {
    return Math.floor(random() * limit)
  }
  const sources = cases.map(({ title, subtitle = '' }) => partsOf(cleanText(`${title} ${subtitle}`)))

  /** Words of the source in any order, as long as at most `most` characters. */
  function mixed({ parts, glue }: Parts, most: number): string {
    const target = 1 + below(most)
    let text = ''
    while (text.length < target) text += parts[below(parts.length)] + glue
    return Array.from(text).slice(0, most).join('').trim() || 'A'
  }

  return () => {
    const source = below(10) === 0 ? { parts: scattered(below), glue: '' } : sources[below(sources.length)]
    const parts = source ?? { parts: ['A'], glue: '' }
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

function scattered(below: (limit: number) => number): string[] {
  return Array.from({ length: 40 }, () => String.fromCharCode(firstIdeograph + below(ideographs)))
}
