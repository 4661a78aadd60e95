import { describe, expect, test } from 'bun:test'
import { type Credentials, readCredentials } from '../../src/access/credentials.ts'
import { createTemporaryAccess, outcome } from './temporary-access.ts'

const sig = 'a'.repeat(64)

/** The names of the parameters that are reported as wrong. */
function wrong(rawQuery: string): string[] {
  const read = readCredentials(rawQuery)
  return 'errors' in read ? read.errors.map(({ parameter }) => parameter) : []
}

describe('well-formed credentials', () => {
  test.each<[string, Credentials]>([
    ['', { demo: false }],
    ['title=Hello', { demo: false }],
    ['demo=1', { demo: true }],
    ['demo=0', { demo: false }],
    ['title=a&amp;demo=1', { demo: true }],
    [
      `amp;key=mk_a&amp;amp;t=5&amp;sig=${sig}`,
      { demo: false, signature: { keyId: 'mk_a', kind: 't', unixSeconds: 5, sig } },
    ],
    [
      `key=mk_a&t=5&sig=${sig}`,
      { demo: false, signature: { keyId: 'mk_a', kind: 't', unixSeconds: 5, sig } },
    ],
    [
      `sig=${sig}&exp=5&demo=1&key=mk_a`,
      { demo: true, signature: { keyId: 'mk_a', kind: 'exp', unixSeconds: 5, sig } },
    ],
    [
      `%6Bey=mk%5Fa&t=5&sig=${sig}`,
      { demo: false, signature: { keyId: 'mk_a', kind: 't', unixSeconds: 5, sig } },
    ],
  ])('are read from %p', (rawQuery, credentials) => {
    expect(readCredentials(rawQuery)).toEqual(credentials)
  })
})

describe('malformed credentials', () => {
  test.each([
    ['a missing signature', 'key=mk_a&t=5', ['sig']],
    ['a missing time', `key=mk_a&sig=${sig}`, ['t']],
    ['a missing key', `t=5&sig=${sig}`, ['key']],
    ['a key alone', 'key=mk_a', ['sig', 't']],
    ['both times', `key=mk_a&t=5&exp=5&sig=${sig}`, ['exp']],
    ['an empty key', `key=&t=5&sig=${sig}`, ['key']],
    ['a key of 10 KB', `key=${'k'.repeat(10_000)}&t=5&sig=${sig}`, ['key']],
    ['a key with a line break', `key=mk%0Aa&t=5&sig=${sig}`, ['key']],
    ['a time in words', `key=mk_a&t=now&sig=${sig}`, ['t']],
    ['an empty time', `key=mk_a&t=&sig=${sig}`, ['t']],
    ['a negative time', `key=mk_a&t=-5&sig=${sig}`, ['t']],
    ['a fraction of a second', `key=mk_a&t=5.5&sig=${sig}`, ['t']],
    ['an exponent', `key=mk_a&exp=1e9&sig=${sig}`, ['exp']],
    ['a hexadecimal time', `key=mk_a&exp=0x10&sig=${sig}`, ['exp']],
    ['a time without end', `key=mk_a&exp=${'9'.repeat(400)}&sig=${sig}`, ['exp']],
    ['an upper-case signature', `key=mk_a&t=5&sig=${sig.toUpperCase()}`, ['sig']],
    ['a short signature', `key=mk_a&t=5&sig=${sig.slice(1)}`, ['sig']],
    ['a long signature', `key=mk_a&t=5&sig=${sig}a`, ['sig']],
    ['a signature that is not hexadecimal', `key=mk_a&t=5&sig=${'g'.repeat(64)}`, ['sig']],
    ['a signature with a line break after it', `key=mk_a&t=5&sig=${sig}%0A`, ['sig']],
    ['a key given twice', `key=mk_a&key=mk_a&t=5&sig=${sig}`, ['key']],
    ['a key given twice, once in disguise', `key=mk_a&ke%79=mk_b&t=5&sig=${sig}`, ['key']],
    ['a demo that is neither on nor off', 'demo=yes', ['demo']],
    ['a demo given twice', 'demo=1&demo=1', ['demo']],
    ['broken percent-encoding', `key=%zz&t=%&sig=${sig}`, ['t']],
    ['everything at once', 'key=&t=x&exp=y&sig=z', ['key', 't', 'exp', 'sig', 'exp']],
  ])('are refused: %s', (_, rawQuery, parameters) => {
    expect(wrong(rawQuery).sort()).toEqual([...parameters].sort())
  })

  test('cost nothing and grant nothing, even beside the demo', async () => {
    const access = await createTemporaryAccess()
    expect(outcome(await access.call('/api/og?demo=1&t=5'))).toBe('invalid_query')
    expect(await access.used('demo')).toBe(0)
  })
})
