import { expect, test } from 'bun:test'
import { badgeQuery, badgeRules, shieldsEndpoint } from '../../../src/assets/badge/query.ts'
import { decodeQuery } from '../../../src/http/query.ts'
import { badge } from './plain-badge.ts'
import cases from './query.json' with { type: 'json' }

function wrong(query: string): string[] {
  const decoded = decodeQuery(badgeQuery, query)
  if ('errors' in decoded) return decoded.errors.map(({ parameter }) => parameter)
  return badgeRules.flatMap((rule) => rule(decoded.value)?.parameter ?? [])
}

test('the names that other services use mean the same', () => {
  const own = badge('label=a&value=b&color=f00&labelColor=0f0&logo=github&style=flat')
  expect(badge('subject=a&message=b&colorB=f00&colorA=0f0&icon=github&style=classic')).toEqual(own)
})

test('a colour wins over a status, and nothing said is grey, not green', () => {
  expect(badge('value=b&status=error&color=00f').color).toBe('#0000ff')
  expect(badge('value=b&status=error').color).toBe('#cf3b2f')
  expect(badge('value=b&status=0f0').color).toBe('#00ff00')
  expect(badge('value=b').color).toBe('#737373')
})

test('a status word is the value where there is none; a colour is not', () => {
  expect(badge('status=Passing').message).toBe('Passing')
  expect(wrong('status=ff0000')).toEqual(['value'])
})

test('all wrong parameters are named at once', () => {
  const query =
    'value=&status=meh&color=url(%23x)&labelColor=12&style=neon&logoWidth=0&scale=9&idSuffix=%22&link=javascript:1'
  expect(wrong(query).sort()).toEqual(
    ['color', 'idSuffix', 'labelColor', 'link', 'logoWidth', 'scale', 'status', 'style', 'value'].sort(),
  )
})

for (const link of cases.links) {
  test(`${link} is no link`, () =>
    expect(wrong(`value=a&link=${encodeURIComponent(link)}`)).toEqual(['link']))
}

test('further parts have a value and a colour, and neighbours without one differ', () => {
  const { more } = badge('value=b&more=arm64:blue|%20x64%20|s390x')
  expect(more).toEqual([
    { message: 'arm64', color: '#0a76bb' },
    { message: 'x64', color: '#737373' },
    { message: 's390x', color: '#555555' },
  ])
  expect(badge('value=b&more=12:30:fff').more).toEqual([{ message: '12:30', color: '#ffffff' }])
  const endpoint = { schemaVersion: 1, label: 'a', message: 'b', color: '#737373' }
  expect(shieldsEndpoint(badge('label=a&value=b&more=c'))).toEqual(endpoint)
})

test.each([
  ...cases.shields,
  `more=${'x'.repeat(61)}`,
  `label=${'x'.repeat(100)}&more=${'y'.repeat(60)}|${'y'.repeat(60)}`,
])('the further parts of %s are refused', (query) => {
  expect(wrong(`value=${'v'.repeat(100)}&${query}`)).toEqual(['more'])
})

test('label, value and further parts may have 300 characters together, without their colours', () => {
  const parts = ['y'.repeat(60), 'y'.repeat(40)].map((part) => `${part}:rgb(124 58 237)`).join('|')
  expect(
    wrong(`label=${'x'.repeat(100)}&value=${'v'.repeat(100)}&more=${encodeURIComponent(parts)}`),
  ).toEqual([])
})

test('a badge has two links at most', () => {
  expect(badge('value=a&link=https://a.example&link=mailto:b@c.d').links).toEqual([
    'https://a.example',
    'mailto:b@c.d',
  ])
  expect(wrong('value=a&link=https://a.b&link=https://a.b&link=https://a.b')).toEqual(['link'])
})

test('a link stays as it was given, unless it is not written as addresses are', () => {
  expect(badge('value=a&link=HTTPS://Example.com/a/../b?x=1%2526y').links).toEqual([
    'HTTPS://Example.com/a/../b?x=1%26y',
  ])
  expect(badge('value=a&link=https://a.example/ö"<>').links).toEqual(['https://a.example/%C3%B6%22%3C%3E'])
  expect(badge('value=a&link=https:a.example').links).toEqual(['https://a.example/'])
})

test('a plus sign that was not encoded does not break a data URL', () => {
  const logo = `data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><title>~~~</title></svg>').toString('base64')}`
  expect(wrong(`value=a&logo=${logo}`)).toEqual([])
})

test('the JSON has only the keys that shields.io knows', () => {
  const query = 'label=a&value=b&style=plastic&logo=github&logoColor=red&labelColor=000'
  expect(JSON.parse(JSON.stringify(shieldsEndpoint(badge(query))))).toStrictEqual({
    ...{ schemaVersion: 1, label: 'a', message: 'b', color: '#737373' },
    ...{ labelColor: '#000000', namedLogo: 'github', logoColor: '#cf3b2f', style: 'plastic' },
  })
})
