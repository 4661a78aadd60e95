import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noBrands } from '../../../../src/assets/og/brand/card-brand.ts'
import type { WantedCard } from '../../../../src/cli/cards/cards-run.ts'
import { runCards } from '../../../../src/cli/cards/run-cards.ts'

/** Result of a run: the parameters of each page's card by the file of the page, and why others have none. */
export interface RecordedRun {
  readonly base: string
  readonly cards: ReadonlyMap<string, Readonly<Record<string, string>>>
  readonly leftAlone: Readonly<Record<string, number>>
  readonly states: readonly string[]
}

/** Gives the pages of a folder their tags and draws nothing: the addresses of cards are numbers, and their parameters are kept. */
export async function recordedRun(folder: string, base: string | undefined): Promise<RecordedRun> {
  const wanted = new Map<string, Readonly<Record<string, string>>>()
  function addressOf({ pairs }: WantedCard): string {
    const address = `https://cards.example/${encodeURIComponent(JSON.stringify(pairs))}.png`
    wanted.set(address, Object.fromEntries(pairs))
    return address
  }
  const find = async (card: WantedCard) => addressOf(card)
  const signed = { find, ensure: find }
  const { json, failures } = await runCards({
    folder,
    base,
    out: join(folder, 'og'),
    cache: mkdtempSync(join(tmpdir(), 'mintmark-cards-cache-')),
    format: 'png',
    look: { parameters: new Map(), themes: [] },
    origin: {
      brands: noBrands,
      brand: undefined,
      pagePictures: undefined,
      signed,
      openSource: () => ({ ...signed, faults: async () => [], close: async () => {} }),
      close: () => {},
    },
    atOnce: 2,
    isDry: false,
    stop: new AbortController().signal,
    nowMs: Date.parse('2026-06-01'),
    warn: () => {},
  })
  if (failures.length > 0) throw new Error(JSON.stringify(failures))
  const result = json as ResultJson
  return {
    base: result.base,
    cards: new Map(result.pages.map(({ file, url }) => [file, wanted.get(url) ?? {}])),
    leftAlone: result.left_alone,
    states: result.pages.map(({ state }) => state),
  }
}

interface ResultJson {
  readonly base: string
  readonly pages: readonly { readonly file: string; readonly url: string; readonly state: string }[]
  readonly left_alone: Readonly<Record<string, number>>
}
