import { existsSync, readFileSync } from 'node:fs'
import { cleanText } from '../../src/text/clean-text.ts'
import fixedTexts from './fixed-texts.json' with { type: 'json' }

export interface Sample {
  readonly id: string
  readonly text: string
  readonly lang?: string
}

interface Card {
  readonly id: string
  readonly title: string
  readonly subtitle?: string
  readonly author?: string
  readonly lang?: string
}

const places = ['../fixtures/cards.json', '../../../shared/cases/cards.json']

/** Every title, subtitle and author of the card cases, cleaned. */
export function cardTexts(): Sample[] {
  const cards = places
    .map((place) => new URL(place, import.meta.url))
    .filter((place) => existsSync(place))
    .flatMap((place): Card[] => JSON.parse(readFileSync(place, 'utf8')).cases)
  return cards.flatMap(({ id, title, subtitle, author, lang }) =>
    [title, subtitle, author].flatMap((raw, index) =>
      raw === undefined
        ? []
        : [{ id: `${id}/${index}`, text: cleanText(raw), ...(lang === undefined ? {} : { lang }) }],
    ),
  )
}

/** Texts that somebody sends to break a layout. */
export function hostileTexts(): Sample[] {
  const random = generator(7)
  const anywhere = Array.from({ length: 120 }, () =>
    Array.from({ length: 80 }, () => String.fromCodePoint(random(0x110000))).join(''),
  )
  const marks = Array.from({ length: 20 }, () =>
    Array.from({ length: 80 }, (_, at) =>
      String.fromCodePoint(at % 9 ? 0x300 + random(0x70) : 0x41 + random(26)),
    ).join(''),
  )
  const samePlane = [0x0, 0x1, 0x2, 0x3, 0xe].flatMap((plane) =>
    Array.from({ length: 12 }, () =>
      Array.from({ length: 80 }, () =>
        String.fromCodePoint(plane * 0x10000 + random(plane === 0 ? 0x3000 : 0xfffe)),
      ).join(''),
    ),
  )
  const fixed = fixedTexts
  return [...anywhere, ...marks, ...samePlane, ...fixed].map((raw, at) => ({
    id: `hostile/${at}`,
    text: cleanText(raw),
  }))
}

/** Numbers below `limit`, the same ones on every run. */
export function generator(seed: number): (limit: number) => number {
  let state = seed
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * limit)
  }
}
