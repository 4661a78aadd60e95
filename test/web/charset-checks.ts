import assert from 'node:assert/strict'
import { createCharsetDecoder } from '../../src/web/charset.ts'
import type { Check } from '../support/check.ts'
import { checksOf } from '../support/checks-of.ts'

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

const cases: readonly (readonly [string, Uint8Array, string, string, string])[] = [
  ['the byte order mark outranks the header', utf8('\ufeffé'), 'text/html; charset=koi8-r', 'utf-8', 'bom'],
  [
    'the header outranks the page',
    bytes('<meta charset=koi8-r>\xcf'),
    'text/html; charset=windows-1251',
    'windows-1251',
    'header',
  ],
  ['the page declares itself', bytes('<meta charset="shift_jis">\x82\xa0'), 'text/html', 'shift_jis', 'meta'],
  [
    'http-equiv declares too',
    bytes('<META HTTP-EQUIV=Content-Type CONTENT="text/html; charset=EUC-KR">'),
    '',
    'euc-kr',
    'meta',
  ],
  [
    'an XML declaration counts',
    bytes('<?xml version="1.0" encoding="iso-8859-2"?><html>\xb1'),
    '',
    'iso-8859-2',
    'meta',
  ],
  [
    'a declaration in a comment does not',
    utf8('<!-- <meta charset="koi8-r"> --><p>é'),
    '',
    'utf-8',
    'content',
  ],
  ['UTF-16 in a meta element means UTF-8', utf8('<meta charset="utf-16le">é'), '', 'utf-8', 'meta'],
  ['labels outside the standard are known', bytes('<meta charset="cp949">'), '', 'euc-kr', 'meta'],
  [
    'unknown labels are passed over',
    utf8('<meta charset="nonsense">é'),
    'text/html; charset=bogus',
    'utf-8',
    'content',
  ],
  [
    'UTF-8 that is called Latin-1 is UTF-8',
    utf8('<p>Zürich'),
    'text/html; charset=iso-8859-1',
    'utf-8',
    'content',
  ],
  [
    'text that is called UTF-8 and is not is asked again',
    bytes('<meta charset=windows-1251>\xcf\xf0\xe8'),
    'text/html; charset=utf-8',
    'windows-1251',
    'meta',
  ],
  [
    'one bad byte does not make a UTF-8 page something else',
    Buffer.concat([utf8('é'.repeat(50)), bytes('\xff')]),
    'text/html; charset=utf-8',
    'utf-8',
    'header',
  ],
  ['Latin-1 bytes without a word are windows-1252', bytes('na\xefve caf\xe9'), '', 'windows-1252', 'default'],
  ['plain ASCII is UTF-8', bytes('plain'), '', 'utf-8', 'default'],
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
