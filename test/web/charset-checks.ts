import assert from 'node:assert/strict'
import { createCharsetDecoder } from '../../src/web/charset.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'
import table from './charset-checks.json' with { type: 'json' }

function bytes(text: string) {
  return new Uint8Array(Buffer.from(text, 'latin1'))
}
function utf8(text: string) {
  return new Uint8Array(Buffer.from(text, 'utf8'))
}
function detect(body: Uint8Array, contentType = 'text/html', tld = 'com') {
  const decoder = createCharsetDecoder({ contentType, tld })
  decoder.push(body)
  decoder.end()
  return decoder.charset()
}

const written = table as [
  name: string,
  encoding: BufferEncoding,
  text: string,
  ...found: [string, string, string],
][]
const cases: readonly (readonly [string, Uint8Array, string, string, string])[] = [
  ...written.map(
    ([name, encoding, text, ...found]) => [name, Buffer.from(text, encoding), ...found] as const,
  ),
  [
    'one bad byte does not make a UTF-8 page something else',
    Buffer.concat([utf8('é'.repeat(50)), bytes('\xff')]),
    'text/html; charset=utf-8',
    'utf-8',
    'header',
  ],
  [
    'a sequence cut by the end of the bytes is still UTF-8',
    utf8('Größe €').subarray(0, -1),
    '',
    'utf-8',
    'content',
  ],
]

function decodeIn(size: number, body: Uint8Array, contentType = 'text/html') {
  const decoder = createCharsetDecoder({ contentType, tld: 'com' })
  let text = ''
  for (let at = 0; at < body.length; at += size) text += decoder.push(body.subarray(at, at + size))
  return { text: text + decoder.end(), charset: decoder.charset() }
}

export const checks: readonly Check[] = [
  ...cases.map(
    ([name, body, contentType, encoding, source]): Check => ({
      name,
      run: () => assert.deepEqual(detect(body, contentType), { encoding, source }),
    }),
  ),
  ...checksOf({
    'a country helps where nothing else does': () =>
      assert.deepEqual(detect(bytes('\xcf\xf0\xe8\xe2\xe5\xf2'), '', 'ru'), {
        encoding: 'windows-1251',
        source: 'tld',
      }),
    'the size of the pieces does not matter'() {
      const page = utf8('<html><head><title>Größe – 日本語 🎉</title></head><body>é</body>')
      const sjis = bytes('<meta charset=shift_jis><title>\x82\xa0\x82\xa2</title>')
      for (const size of [1, 2, 3, 7, 64, 4096]) {
        assert.equal(decodeIn(size, page).text, Buffer.from(page).toString('utf8'))
        assert.ok(decodeIn(size, sjis).text.endsWith('<title>あい</title>'))
      }
    },
    'a page that is ASCII up to its body may still turn out to be UTF-8 or not'() {
      const head = `<head><title>t</title></head><body>${'x'.repeat(100_000)}`
      assert.ok(decodeIn(1000, utf8(`${head}é`)).text.endsWith('xé'))
      assert.ok(decodeIn(1000, utf8(`${head}é`), 'text/html; charset=iso-8859-1').text.endsWith('xé'))
      assert.ok(decodeIn(1000, bytes(`${head}\xe9`)).text.endsWith('xé'))
    },
    'the head is given out as soon as it has ended'() {
      const decoder = createCharsetDecoder({ contentType: 'text/html', tld: 'com' })
      assert.equal(decoder.push(bytes('<head><title>t</title>')), '')
      assert.equal(decoder.push(bytes('</head>')), '<head><title>t</title></head>')
    },
  }),
]
