import { Problem } from '../../errors.ts'
import type { QueryPair } from '../../lib/query-pairs.ts'
import type { CardLook, CardOrigin } from './cards-run.ts'
import { createCardReader } from './plan-pages.ts'

type LookOptions = Readonly<Partial<Record<'size' | 'scheme' | 'align' | 'accent' | 'template', string>>> & {
  readonly format: string
  readonly theme?: readonly string[]
}

export function readLook(options: LookOptions, { brand, wear }: CardOrigin): CardLook {
  const given = { ...options, brand, template: options.template ?? 'auto' }
  const names = ['format', 'size', 'scheme', 'align', 'accent', 'brand', 'template'] as const
  function parameterOf(theme: string): QueryPair {
    if (!isThemeFile(theme)) return ['theme', theme]
    if (wear !== undefined) return ['brand', wear(theme)]
    throw new Error(
      `--theme ${theme}: a server cannot read the file. Put it into a brand, as its theme file, and give --brand.`,
    )
  }
  return {
    parameters: new Map(
      names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const])),
    ),
    themes: (options.theme ?? [])
      .map((text) => {
        const at = text.lastIndexOf('=')
        const section = text.slice(0, Math.max(at, 0)).replace(/^\//, '')
        return { section, parameter: parameterOf(text.slice(at + 1)) }
      })
      .toSorted((one, other) => other.section.length - one.section.length),
  }
}

export function isThemeFile(theme: string): boolean {
  return theme.includes('/') || /\.(?:ya?ml|json)$/i.test(theme)
}

/** Rejects for a look that no card can have, and for a key that can sign none. */
export async function checkLook({ parameters, themes }: CardLook, origin: CardOrigin): Promise<void> {
  const reader = createCardReader(origin.brands)
  for (const own of [[], ...themes.map(({ parameter }) => [parameter])])
    try {
      const all = new Map([...parameters, ['title', 'A'], ...own])
      // A page decides what its card is about.
      all.delete('template')
      const card = reader.read([...all])
      await origin.signed?.find(card)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw new Error(error.errors.map(({ parameter, message }) => `--${parameter} ${message}`).join('\n'))
    }
}
