import { expect, test } from 'bun:test'
import { createCookieJar } from '../../src/web/cookie-jar.ts'

const page = new URL('https://site.example.com/shop/cart')

function cookieAfter(setCookies: readonly string[], url = page, from = page) {
  const jar = createCookieJar()
  jar.store(from, setCookies)
  return jar.headerFor(url)
}

test.each([
  ['a=1', '/shop/other', 'a=1'],
  ['a=1', '/', undefined],
  ['a=1; Path=/', '/', 'a=1'],
  ['a=1; Path=/shop', '/shop/cart', 'a=1'],
  ['a=1; Path=/shop', '/shopping', undefined],
  ['a=1; Secure; Path=/', '/', 'a=1'],
  ['a=1; Domain=example.com; Path=/', '/', 'a=1'],
  ['a=1; Max-Age=0; Path=/', '/', undefined],
  ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/', '/', undefined],
  ['=1; Path=/', '/', undefined],
  ['a=\u0001; Path=/', '/', undefined],
  [`a=${'x'.repeat(5_000)}; Path=/`, '/', undefined],
])('%s goes to %s as %s', (header, path, expected) => {
  expect(cookieAfter([header], new URL(path, page))).toBe(expected)
})

test.each([
  'http://site.example.com/shop/',
  'https://www.site.example.com/shop/',
  'https://example.com/shop/',
  'https://site.example.com:8443/shop/',
])('a cookie goes to no other scheme, host or port: %s', (url) => {
  expect(cookieAfter(['a=1; Domain=example.com; Path=/'], new URL(url))).toBeUndefined()
})

test('a cookie that is secure is not taken from a page that is not', () => {
  const plain = new URL('http://site.example.com/')
  expect(cookieAfter(['a=1; Secure; Path=/'], page, plain)).toBeUndefined()
  expect(cookieAfter(['a=1; Secure; Path=/'], plain, plain)).toBeUndefined()
})

test('twenty cookies are kept, of 4 KiB together', () => {
  const jar = createCookieJar()
  for (let at = 0; at < 100; at += 1)
    jar.store(
      page,
      Array.from({ length: 10 }, (_, index) => `c${at * 10 + index}=1; Path=/`),
    )
  expect(jar.headerFor(page)?.split('; ')).toHaveLength(20)
  const large = createCookieJar()
  large.store(
    page,
    ['a', 'b', 'c'].map((name) => `${name}=${'x'.repeat(2_000)}`),
  )
  expect(large.headerFor(page)?.length).toBeLessThan(4_096 + 20)
})

test('a change is told from what was there before', () => {
  const jar = createCookieJar()
  expect(jar.store(page, ['a=1'])).toBeTrue()
  expect(jar.store(page, ['a=1'])).toBeFalse()
  expect(jar.store(page, ['a=2'])).toBeTrue()
  expect(jar.store(page, ['a=2; Max-Age=0'])).toBeTrue()
  expect(jar.headerFor(page)).toBeUndefined()
})
