import { secondsMistake } from '../access/credentials.ts'
import type { ParameterError } from '../errors.ts'
import { formDecode, queryPairsAsSent, type RawQueryPair } from '../lib/query-pairs.ts'

/** The most text that the payload of an address may hold. */
const payloadBytesMax = 10 * 1024

/** The parameters in the payload of an address. */
export interface PayloadContent {
  readonly pairs: readonly RawQueryPair[]
  /** When the address ends, in unix seconds; undefined if it holds for as long as its key. */
  readonly exp: number | undefined
  readonly errors: readonly ParameterError[]
}

/** Credentials, and what the address itself says. */
const refusedNames: ReadonlyMap<string, string> = new Map([
  ['format', 'must not be in the payload: the end of the address says it'],
  ['kind', 'must not be in the payload: the address names its asset'],
  ['demo', 'must not be in the payload: an address is signed'],
  ['key', 'must not be in the payload: the address names its key'],
  ['t', 'must not be in the payload: an address ends at exp, if at all'],
  ['sig', 'must not be in the payload: it is at the end of the address'],
])

/** Reads the payload of a signed address. Mistakes in parameters of the asset are not among its errors. */
export function readPayload(payload: string): PayloadContent {
  const text = decodePayload(payload)
  if (typeof text !== 'string') return { pairs: [], exp: undefined, errors: [text] }
  const pairs = queryPairsAsSent(text).filter(({ name, value }) => name !== '' || value !== '')
  const errors: ParameterError[] = []
  const given = new Set<string>()
  for (const { name } of pairs) {
    const refused = given.has(name) ? 'is given more than once' : refusedNames.get(name)
    if (refused !== undefined && !errors.some(({ parameter }) => parameter === name))
      errors.push({ parameter: name, message: refused })
    given.add(name)
  }
  const end = pairs.find(({ name }) => name === 'exp')
  const exp = end && (formDecode(end.value) ?? end.value)
  const mistake = exp === undefined ? undefined : secondsMistake(exp)
  if (mistake !== undefined) errors.push({ parameter: 'exp', message: mistake })
  return { pairs, exp: exp === undefined ? undefined : Number(exp), errors }
}

function decodePayload(payload: string): string | ParameterError {
  if (!/^[\w-]*$/.test(payload) || payload.length % 4 === 1)
    return payloadMistake('must be base64url without padding')
  const bytes = Buffer.from(payload, 'base64url')
  if (bytes.length > payloadBytesMax) return payloadMistake('must hold at most 10 KiB of text')
  // Bits behind the last byte would give one text several spellings.
  if (bytes.toString('base64url') !== payload) return payloadMistake('must be base64url without padding')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return payloadMistake('must be UTF-8 text')
  }
}

function payloadMistake(message: string): ParameterError {
  return { parameter: 'payload', message }
}
