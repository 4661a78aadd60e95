import { describe, expect, test } from 'bun:test'
import { cardFactsOf, chosenTemplate } from '../../../src/assets/card/card-facts.ts'
import { createCardPages, noPageStore } from '../../../src/assets/card/card-pages.ts'
import { statedFacts } from '../../../src/assets/card/stated-facts.ts'
import { templateNames } from '../../../src/assets/og/templates.ts'
import { createPageParser } from '../../../src/assets/preview/page-parser.ts'
import { systemClock } from '../../../src/lib/clock.ts'
import rows from '../../fixtures/preview/page-templates.json' with { type: 'json' }

const url = 'https://site.example.com/a/page'
const nowMs = Date.parse('2026-11-28T12:00:00Z')

async function factsOf(html: string) {
  const parser = createPageParser({ url, headers: {}, contentType: 'text/html', nowMs })
  await parser.write(Buffer.from(html))
  return cardFactsOf(statedFacts(await parser.finish(), false), url, null, [])
}

describe('the template of a page follows from what it says', () => {
  for (const { name, html, auto, texts = {}, template = auto[0] } of rows)
    test(name, async () => {
      const facts = await factsOf(html)
      expect(facts.auto).toEqual(auto)
      const own: Readonly<Record<string, string>> = facts.templates?.[template ?? ''] ?? {}
      const isThere = templateNames.some((each) => each === template)
      for (const [parameter, text] of isThere ? Object.entries<string | null>(texts) : [])
        expect([parameter, own[parameter] ?? null]).toEqual([parameter, text])
    })
})

test('a template without what it needs is the usual card, and a photograph needs its picture', async () => {
  const facts = {
    texts: { title: 'A' },
    templates: { article: { minutes: '6' }, photo: {} },
    auto: ['photo'],
  }
  expect(chosenTemplate(facts, undefined, false).template).toBeUndefined()
  expect(chosenTemplate(facts, 'release', false)).toEqual({ template: 'standard', texts: { title: 'A' } })
  expect(chosenTemplate(facts, 'auto', false).template).toBe('standard')
  expect(chosenTemplate(facts, 'article', false)).toEqual({
    template: 'article',
    texts: { title: 'A', minutes: '6' },
  })
  const worded = { ...facts, texts: { title: 'A', template: 'article' } }
  expect(chosenTemplate(worded, 'auto', false).template).toBe('article')
  expect(chosenTemplate(worded, undefined, false).template).toBe('article')
  expect(chosenTemplate(worded, 'standard', false).template).toBe('standard')
  expect(chosenTemplate({ texts: { title: 'A' } }, 'auto', true).template).toBe('standard')
})

test('facts that an earlier version kept are drawn as they are, and read again though the page has not changed', async () => {
  const { templates, auto, ...before } = await factsOf('<title>Tides</title>')
  for (const facts of [before, { ...before, templates, auto }]) {
    const row = { facts: JSON.stringify(facts), etag: '"1"', lastModified: null, readAtMs: nowMs }
    const stored = { ...row, failedAtMs: null, goneAtMs: null, reason: null, isBlocked: 0 }
    const asked: unknown[] = []
    const readCardPage = async (_: string, _of: unknown, known: unknown) => void asked.push(known)
    const store = { ...noPageStore, find: async () => stored, claim: async () => true }
    const clock = { ...systemClock, now: () => nowMs }
    const pages = createCardPages({ load: async () => ({ readCardPage }) as never }, store, clock)
    await pages.load(url)
    expect(pages.peek(url)?.state(nowMs)).toMatchObject({ kind: 'page', facts })
    await pages.renew(url)
    expect(asked).toEqual([facts === before ? undefined : expect.anything()])
  }
})
