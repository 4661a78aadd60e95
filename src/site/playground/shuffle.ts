import { allowedValues } from '../../lib/fields.ts'
import { cardSamples, wallAvatars, wallBadges, wallCards } from '../sample-pictures.ts'
import { type AssetForm, fieldsOf, swatchesOf } from './form.ts'

type Query = Readonly<Record<string, string>>

/** Texts to choose among, by form. */
const texts: Readonly<Record<string, readonly Query[]>> = {
  og: [...wallCards.map(({ query }) => query), ...cardSamples],
  badge: wallBadges.map(({ query }) => query),
  avatar: wallAvatars.map(({ query }) => query),
}

const looks = ['theme', 'scheme', 'style', 'shape', 'accent', 'color'] as const

export function canShuffle(form: AssetForm): boolean {
  return form.waits !== 'all' && form.asset.priceMicros !== undefined
}

export function shuffleAddress({ id }: AssetForm): string {
  return `/?kind=${id}&shuffle=1#play`
}

/** The form with other texts and another look, as an address relative to the page. `random` is at least 0 and below 1. */
export function shuffled(form: AssetForm, random: () => number = Math.random): string {
  function pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(random() * items.length)]
  }
  const chosen = looks.flatMap((name): [string, string][] => {
    const value = pick(valuesOf(form, name))
    return value === undefined ? [] : [[name, value]]
  })
  const said = pick(texts[form.id] ?? []) ?? form.example
  const shown = new Set(fieldsOf(form).map(({ name }) => name))
  // A badge has its colour by the new one alone, not by a status.
  const query = Object.entries({ ...said, ...Object.fromEntries(chosen) }).filter(([name]) => shown.has(name))
  return `?${new URLSearchParams([['kind', form.id], ...query])}#play`
}

function valuesOf({ asset, rows }: AssetForm, name: string): readonly string[] {
  const isShown = rows.some((row) => row.some((field) => field.name === name))
  const field = isShown ? asset.query.properties[name] : undefined
  if (field === undefined) return []
  return allowedValues(field) ?? swatchesOf(field['format'])?.map(({ value }) => value) ?? []
}
