import type { CardBrands } from '../../assets/og/brand/card-brand.ts'
import { Problem } from '../../errors.ts'
import type { CardLook, CardSource } from './cards-run.ts'
import { createCardReader } from './plan-pages.ts'

interface LookOptions {
  readonly format: string
  readonly brand: string | undefined
  /** A theme of all cards, or `docs/=grid` for the cards of a section. */
  readonly theme?: readonly string[]
  readonly size?: string
  readonly scheme?: string
  readonly align?: string
  readonly accent?: string
  readonly template?: string
}

export function readLook(options: LookOptions): CardLook {
  const sections = (options.theme ?? []).filter((text) => text.includes('='))
  const theme = (options.theme ?? []).find((text) => !text.includes('='))
  const given = { ...options, theme, template: options.template ?? 'auto' }
  const names = ['format', 'size', 'theme', 'scheme', 'align', 'accent', 'brand', 'template'] as const
  return {
    parameters: new Map(
      names.flatMap((name) => (given[name] === undefined ? [] : [[name, given[name]] as const])),
    ),
    themes: sections.map((text) => {
      const at = text.lastIndexOf('=')
      return { section: text.slice(0, at).replace(/^\//, ''), theme: text.slice(at + 1) }
    }),
  }
}

/** Rejects for a look that no card can have, and for a key that can sign none. */
export async function checkLook(
  { parameters, themes }: CardLook,
  brands: CardBrands,
  server: CardSource | undefined,
): Promise<void> {
  const reader = createCardReader(brands)
  for (const theme of [undefined, ...themes.map((each) => each.theme)])
    try {
      const all = new Map([...parameters, ['title', 'A']])
      // A page decides what its card is about.
      all.delete('template')
      if (theme !== undefined) all.set('theme', theme)
      const card = reader.read([...all])
      await server?.find(card)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw new Error(error.errors.map(({ parameter, message }) => `--${parameter} ${message}`).join('\n'))
    }
}
