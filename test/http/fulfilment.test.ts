import { expect, test } from 'bun:test'
import type { Granted } from '../../src/access/authorization.ts'
import { createFulfilment } from '../../src/http/fulfilment.ts'
import type { ParsedRequest } from '../../src/http/parsed-request.ts'
import type { RequestContext } from '../../src/http/request-context.ts'
import { createTemporaryAccess, embedded } from '../access/temporary-access.ts'
import { usualFreeDrawings } from '../support/unbounded-drawings.ts'

const context = { method: 'GET', logFields: {}, startMs: 0 } as unknown as RequestContext

/** A request whose meaning the test finds. */
function meantLater() {
  const meaning = Promise.withResolvers<{ readonly free?: object }>()
  const producer = { answer: async () => new Response('drawn') }
  const parsed = {
    producer,
    resolved: { find: () => meaning.promise },
    withMeaning: (resolved: object) => ({ producer, resolved }),
  }
  return { parsed: parsed as unknown as ParsedRequest, found: meaning.resolve }
}

test('of two equal calls of which one is given something free and refunded, the other one is counted', async () => {
  const access = await createTemporaryAccess()
  const pair = await access.keys.create()
  const url = await embedded(pair)
  async function grantOf(): Promise<Granted> {
    const decision = await access.call(url)
    if (!decision.granted) throw new Error('The call was refused.')
    return decision
  }
  const { fulfil } = createFulfilment({
    renderer: { isKept: () => true } as never,
    freeDrawings: usualFreeDrawings(),
    countShare: undefined,
    authorizeAgain: async (parsed) => fulfil(parsed, context, await grantOf()),
  })
  const [first, second] = [meantLater(), meantLater()]
  const answers = [
    fulfil(first.parsed, context, await grantOf()),
    fulfil(second.parsed, context, await grantOf()),
  ]
  first.found({ free: {} })
  await answers[0]
  expect(await access.used(`key:${pair.key.id}`)).toBe(0)
  second.found({})
  expect(await (await answers[1])?.text()).toBe('drawn')
  expect(await access.used(`key:${pair.key.id}`)).toBe(1)
  await access.traffic.flush()
  expect(await access.usedInAll()).toBe(1)
})

test('a 304 for what stands in for a picture is no share, a 304 for the picture is one', () => {
  let shares = 0
  const { count } = createFulfilment({
    renderer: { isKept: () => true } as never,
    freeDrawings: usualFreeDrawings(),
    countShare: () => {
      shares += 1
    },
    authorizeAgain: () => Promise.reject(new Error('Nothing is authorized again.')),
  })
  const grant = { granted: true, mode: 'key' } as Granted
  count({ resolved: { free: {} } } as unknown as ParsedRequest, context, grant)
  expect(shares).toBe(0)
  count({ resolved: {} } as ParsedRequest, context, grant)
  expect(shares).toBe(1)
})
