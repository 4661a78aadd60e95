import { expect, test } from 'bun:test'
import { readHead } from '../../src/http/request-context.ts'

function headOf(headers: HeadersInit) {
  const request = new Request('http://localhost/api/og', { headers })
  return readHead(request)
}

const urlChars = 'http://localhost/api/og'.length

test.each([
  ['one header', [['accept', 'x']]],
  [
    'names that objects have',
    [
      ['__proto__', 'abc'],
      ['constructor', 'de'],
      ['tostring', 'f'],
    ],
  ],
  [
    'names that are numbers',
    [
      ['0', 'zero'],
      ['12', 'twelve'],
    ],
  ],
  [
    'one name several times',
    [
      ['accept', 'a'],
      ['Accept', 'b'],
    ],
  ],
  [
    'cookies that are set',
    [
      ['set-cookie', 'a=b'],
      ['set-cookie', 'c=d'],
    ],
  ],
] as [string, [string, string][]][])('%s count towards the limit of a head', (_, given) => {
  const names = new Set(given.map(([name]) => name.toLowerCase()))
  const values = given.map(([, value]) => value)
  expect(headOf(given).bytes).toBeGreaterThan(urlChars + [...names, ...values].join('').length)
  const most = given.reduce((sum, [name, value]) => sum + name.length + value.length + 4, urlChars)
  expect(headOf(given).bytes).toBeLessThanOrEqual(most)
})

test('what is not said is not there, whatever objects have by themselves', () => {
  expect(headOf({})).toMatchObject({
    bodyBytes: 0,
    host: null,
    ifNoneMatch: null,
    acceptEncoding: null,
    hasPayment: false,
  })
})

test.each(['X-Payment', 'PAYMENT-SIGNATURE', 'Authorization'])('%s is a payment header', (name) => {
  expect(headOf({ [name]: '' }).hasPayment).toBe(true)
})

test('a body is as long as it is said to be', () => {
  expect(headOf({ 'content-length': '70000' }).bodyBytes).toBe(70_000)
})
