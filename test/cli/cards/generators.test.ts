import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { og } from '../../../src/assets/og/asset.ts'
import sites from './expected-sites.json' with { type: 'json' }
import { recordedRun } from './support/recorded-run.ts'

type Card = Readonly<Record<string, string>>

/** A site as a person sees it who reads its pages: the cards that they should get. */
interface ExpectedSite {
  /** The base that is given to the command; undefined where it finds `base` by itself. */
  readonly givenBase?: string
  readonly base: string
  /** Every page names one picture, which its card replaces. */
  readonly hasDefaultPicture?: boolean
  readonly cards: Readonly<Record<string, Card>>
  /** Numbers of pages that are left alone, by the reason. Every page of a site has a card or is counted here. */
  readonly leftAlone: Readonly<Record<string, number>>
}

/** Every generator of `test/fixtures/generators` builds the same pages: our own words about a small harbour. */
const expectedSites = sites as unknown as Readonly<Record<string, ExpectedSite>>
const fixtures = 'test/fixtures/sites'
const base = mkdtempSync(join(tmpdir(), 'mintmark-generators-'))
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** Four generators' sites are in the repository; the others are there when somebody has built them. */
describe.each(readdirSync(fixtures))('%s', (name) => {
  const expected = expectedSites[name]
  if (expected === undefined) throw new Error(`The site ${name} has no expectations.`)
  const folder = join(base, name)
  const fixture = join(fixtures, name)

  let run: Awaited<ReturnType<typeof recordedRun>>
  beforeAll(async () => {
    cpSync(fixture, folder, { recursive: true })
    run = await recordedRun(folder, expected.givenBase)
  })

  test('every page has the card that a person would give it, or is left alone', () => {
    const cards = Object.fromEntries([...run.cards].map(([file, card]) => [file, withoutOverflow(card)]))
    expect(cards).toEqual(
      Object.fromEntries(Object.entries(expected.cards).map(([file, card]) => [file, drawable(card)])),
    )
    expect(run.leftAlone).toEqual(expected.leftAlone)
    expect(run.base).toBe(expected.base)
  })

  test('only pages with a card change, and nothing in them but its tags', () => {
    for (const file of filesOf(fixture)) {
      const [before, after] = [fixture, folder].map((place) => readText(join(place, file))) as [
        string,
        string,
      ]
      const hasCard = file in expected.cards
      expect(after.match(ourTags)?.length ?? 0).toBe(hasCard ? 1 : 0)
      const original = hasCard && expected.hasDefaultPicture ? before.replace(pictureTags, '') : before
      expect(after.replace(ourTags, '')).toBe(original)
    }
  })

  test('a second run writes no file', async () => {
    const before = timesOf(folder)
    const { states } = await recordedRun(folder, expected.givenBase)
    expect(new Set(states)).toEqual(new Set(['unchanged']))
    expect(timesOf(folder)).toEqual(before)
  })
})

/** Parameters that cards have; an expectation may be ahead of them. */
function drawable(card: Card): Card {
  return Object.fromEntries(Object.entries(card).filter(([name]) => name in og.query.properties))
}

function withoutOverflow({ overflow: _, ...card }: Card): Card {
  return card
}

function filesOf(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => statSync(join(folder, path)).isFile())
}

function timesOf(folder: string): readonly string[] {
  return filesOf(folder).map((file) => {
    const { mtimeNs, ino } = statSync(join(folder, file), { bigint: true })
    return `${file} ${mtimeNs} ${ino}`
  })
}

/** Tags of ours with the white space before each, in one place. */
const ourTags = /(?:\s*<meta [^>]*data-mintmark(?:="" \/)?>)+/g
const pictureTags =
  /\s*<meta (?:data-rh="true" )?(?:property|name)="(?:og:image|twitter:image|twitter:card)"[^>]*>/g

/** A page's characters, each of one byte, or of two in UTF-16. */
function readText(path: string): string {
  const bytes = readFileSync(path)
  return bytes.toString(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf16le' : 'latin1')
}
