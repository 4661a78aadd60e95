import { expect, test } from 'bun:test'
import { languageTag } from '../src/assets/kit/formats.ts'
import { ttlSeconds } from '../src/assets/preview/fetch-preview.ts'
import { filePreview, isHtml, linkHeader } from '../src/assets/preview/file-preview.ts'
import { normalizeDate } from '../src/assets/preview/find-date.ts'
import { cleanPageText } from '../src/assets/preview/page-text.ts'
import { normalizeDomain } from '../src/assets/sitemap/normalize-domain.ts'
import { matchingEtag } from '../src/http/cache-control.ts'
import { negotiateEncoding } from '../src/http/compression.ts'
import { acceptedTypes } from '../src/lib/accepted-types.ts'
import { queryPairs } from '../src/lib/query-pairs.ts'
import { parseMppCredential } from '../src/payments/wire/mpp.ts'
import { parseProof } from '../src/payments/wire/request-binding.ts'
import { charsetParameter, metaEncoding } from '../src/web/charset.ts'
import { createDecoders } from '../src/web/content-decoders.ts'
import { checkUrl } from '../src/web/url-rules.ts'
import { stallMsMax, watchEventLoop } from './support/event-loop-lag.ts'
import { sampleOf } from './support/test-size.ts'

const url = 'https://site.example.com/'

/** Everything that reads a line of a stranger's at once. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
  Accept: acceptedTypes,
  'Accept-Encoding': negotiateEncoding,
  'Accept-Language': languageTag,
  'If-None-Match': (text) => matchingEtag(text, 'tag'),
  'a query': queryPairs,
  'an MPP credential': parseMppCredential,
  'a proof': parseProof,
  'a domain': normalizeDomain,
  'a URL': (text) => checkUrl(text),
  'the type of a page': isHtml,
  'the charset of a type': charsetParameter,
  'the charset of a page': metaEncoding,
  'a content coding': createDecoders,
  'a Link header': (text) => linkHeader(text, 'canonical'),
  'the name of a file': (text) => filePreview({ url, headers: { 'content-disposition': text } }),
  'Cache-Control': (text) => ttlSeconds({ 'cache-control': text }, 0),
  Expires: (text) => ttlSeconds({ expires: text }, 0),
  'a date': normalizeDate,
  'a text': cleanPageText,
}

/** Valid beginnings of these header formats; a part is then repeated after each. */
const beginnings = [
  ...['', 'a', 'a;', 'a=', 'a="', '<a>;', '<a>; rel="', 'charset=', '<meta charset=', 'payment ', '1 jan '],
  ...['max-age=', 'W/"', 'https://', "utf-8'", "attachment; filename*=utf-8''"],
]
const repeated = [
  ...' a,;="\\<\'%&.-/10\té😀:@[(\u0000',
  ...[';a', ';a=', ';a="', ';a="\\"', '\\"', '<>', '<a>"', '%41', '&amp;', '&#x26;'],
  ...['charset', '<meta ', ', ', 'W/"', 'a.', 'q='],
]
const chars = 65_536

test.each(Object.entries(readers))('%s of 64 KiB is read at once, whatever it repeats', async (_, read) => {
  let worst = { stallMs: 0, text: '' }
  for (const beginning of sampleOf(beginnings, 10)) {
    for (const piece of repeated) {
      const text = (beginning + piece.repeat(chars)).slice(0, chars - 1)
      for (const whole of [text, `${text}!`, `${text}\n`]) {
        const { stallMs } = await watchEventLoop(() => {
          try {
            return read(whole)
          } catch {
            return undefined
          }
        })
        if (stallMs > worst.stallMs) worst = { stallMs, text: `${beginning} ${piece}` }
      }
    }
  }
  expect(worst.stallMs).toBeLessThan(stallMsMax)
})
