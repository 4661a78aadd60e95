import { describe, expect, test } from 'bun:test'
import { shownDomain } from '../../../src/assets/og/shown-domain.ts'

describe('the shown domain', () => {
  const cases = [
    ['https://www.example.com/', 'example.com'],
    ['http://example.com', 'example.com'],
    ['HTTPS://WWW.Example.COM', 'example.com'],
    ['//example.com/', 'example.com'],
    ['example.com', 'example.com'],
    ['www.example.com', 'example.com'],
    ['https://example.com/blog/', 'example.com/blog'],
    ['https://example.com/blog/post?utm_source=x#top', 'example.com/blog/post'],
    ['https://user:secret@example.com/', 'example.com'],
    ['https://example.com:443/', 'example.com'],
    ['http://example.com:8080/', 'example.com:8080'],
    ['https://xn--bcher-kva.example/', 'bücher.example'],
    ['https://example.com/%D1%81%D0%B0%D0%B9%D1%82', 'example.com/сайт'],
    ['https://example.com/100%', 'example.com/100%'],
    ['https://example.com/a%20b', 'example.com/a%20b'],
    ['https://[::1]:3000/', '[::1]:3000'],
    ['My Own Blog', 'My Own Blog'],
    ['www.', 'www.'],
    ['https://', 'https://'],
    ['?', '?'],
  ] as const
  for (const [url, shown] of cases) {
    test(`of ${url} is ${shown}`, () => expect(shownDomain(url)).toBe(shown))
  }

  test('shows no credentials, whatever they contain', () => {
    expect(shownDomain('https://a:b@c@example.com/')).toBe('example.com')
  })
})
