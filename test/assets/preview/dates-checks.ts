import assert from 'node:assert/strict'
import { parsePreview } from '../../../src/assets/preview/page-parser.ts'
import type { Check } from '../../support/check.ts'

interface DatedPage {
  readonly kind: string
  readonly lang?: string
  readonly head?: string
  readonly body: string
  readonly published: string | null
  readonly modified?: string
}

const pages: readonly DatedPage[] = [
  ...(
    [
      ['en', 'Valid until 31 December 2020'],
      ['en', 'Deadline: 15 March 2017'],
      ['en', 'Doors open 5 May 2014'],
      ['en', 'Submissions close on 3 May 2014'],
      ['en', 'Next meeting: May 3, 2014'],
      ['en', 'Copyright 3 May 2015'],
      ['de', 'Bewerbungsfrist: 15. März 2014'],
      ['en', 'Offer ends 1 January 2011. Buy now.'],
      ['en', 'Founded on January 1, 1998 in Ohio.'],
      ['en', 'Established 3 May 2001'],
      ['en', 'Member since May 3, 2001'],
      ['en', 'Born May 3, 1991 in Kent'],
      ['en', 'Opened on 3 May 2011'],
      ['en', 'Expires 2011-05-03'],
      ['en', 'Due: 2011-05-03'],
      ['en', '3 May 2011 – 5 May 2011'],
      ['en', '3–5 May 2011'],
      ['de', 'Gültig bis 31. Dezember 2020'],
      ['de', 'Einsendeschluss: 31.12.2020'],
      ['de', 'Gegründet am 3. Mai 2001'],
      ['fr', 'Jusqu’au 31 décembre 2020'],
      ['fr', 'Date limite : 3 mai 2011'],
      ['fr', 'Fondée le 3 mai 2001'],
      ['es', 'Hasta el 31 de diciembre de 2020'],
      ['es', 'Fecha límite: 3 de mayo de 2011'],
      ['pt', 'Até 31 de dezembro de 2020'],
      ['it', 'Scadenza: 3 maggio 2011'],
      ['it', 'Fino al 3 maggio 2011'],
      ['nl', 'Geldig tot 3 mei 2011'],
      ['pl', 'Ważne do 3 maja 2011'],
      ['ru', 'Действует до 3 мая 2011'],
      ['ru', 'Основан 3 мая 2001'],
      ['sv', 'Grundat 3 maj 2001'],
      ['tr', 'Son tarih: 3 Mayıs 2011'],
      ['ja', '2011年5月3日まで'],
      ['ja', '締切：2011年5月3日'],
      ['zh', '截止日期：2011年5月3日'],
      ['zh', '公司成立于2011年5月3日'],
      ['ko', '2011년 5월 3일까지'],
    ] as const
  ).map(([lang, line]) => ({
    kind: `a line of another day: ${line}`,
    lang,
    body: `<h1>Page</h1><p>${line}</p>`,
    published: null,
  })),
  ...(
    [
      ['en', 'Last active December 3, 2016 11:29', '2016-12-03'],
      ['en', 'Updated May 3, 2011', '2011-05-03'],
      ['en', 'Last modified: 2011-05-03', '2011-05-03'],
      ['de', 'Zuletzt aktualisiert am 3. Mai 2011', '2011-05-03'],
      ['fr', 'Mis à jour le 3 mai 2011', '2011-05-03'],
      ['es', 'Actualizado el 3 de mayo de 2011', '2011-05-03'],
      ['ja', '更新日：2011年5月3日', '2011-05-03'],
      ['ru', 'Обновлено 3 мая 2011', '2011-05-03'],
    ] as const
  ).map(([lang, line, modified]) => ({
    kind: `a line of the last change: ${line}`,
    lang,
    body: `<h1>Page</h1><p>${line}</p>`,
    published: null,
    modified,
  })),
  {
    kind: 'a date of publishing beside one of a change, in one line',
    body: '<h1>Page</h1><p>Posted May 3, 2011, updated June 4, 2012</p>',
    published: '2011-05-03',
    modified: '2012-06-04',
  },
  {
    kind: 'a date of publishing after one of an end',
    body: '<h1>Page</h1><p>Ends 4 June 2012</p><p>Published 3 May 2011</p>',
    published: '2011-05-03',
  },
  {
    kind: 'a label in a block of its own',
    body: '<h1>Page</h1><dl><dt>Deadline</dt><dd>3 May 2011</dd></dl>',
    published: null,
  },
  {
    kind: 'a label before a time',
    body: '<h1>Page</h1><p>Valid until <time datetime="2011-05-03">3 May</time></p>',
    published: null,
  },
  {
    kind: 'a label before a time, in an element of its own',
    body: '<h1>Page</h1><p><span>Last updated</span> <time datetime="2011-05-03">3 May</time></p>',
    published: null,
    modified: '2011-05-03',
  },
  {
    kind: 'a section of a site that is called after its updates, before a time',
    body: '<h1>Page</h1><p><a href="/updates">Updates</a> · <time datetime="2011-05-03">3 May</time></p>',
    published: '2011-05-03',
  },
  {
    kind: 'a time that is still to come',
    body: '<h1>Concert</h1><time datetime="2100-05-05T20:00">5 May 2100</time>',
    published: null,
  },
  {
    kind: 'declared dates that are still to come',
    head: '<meta property="article:published_time" content="2100-01-01"><meta property="article:modified_time" content="2100-01-01"><meta name="date" content="2011-05-03">',
    body: '<h1>Page</h1>',
    published: '2011-05-03',
  },
  {
    kind: 'the time of an event in microdata',
    body: '<h1>Concert</h1><time itemprop="startDate" datetime="2011-05-05T20:00">5 May</time>',
    published: null,
  },
  {
    kind: 'the time of an event by its class',
    body: '<h1>Concert</h1><p><span class="dtstart event-date">5 May 2011</span></p>',
    published: null,
  },
  {
    kind: 'the time of an event that JSON-LD names',
    head: '<script type="application/ld+json">{"@type":"MusicEvent","name":"Concert","startDate":"2011-05-05T20:00"}</script>',
    body: '<h1>Concert</h1><p>5 May 2011</p>',
    published: null,
  },
  {
    kind: 'an article with an old clip in it',
    head: '<meta property="og:type" content="article"><meta itemprop="datePublished" content="2019-11-19"><script type="application/ld+json">{"@type":"VideoObject","name":"Old clip","uploadDate":"2019-10-11T14:59:54Z"}</script>',
    body: '<h1>Markets</h1>',
    published: '2019-11-19',
  },
  {
    kind: 'a page with an old clip in it that says nothing else',
    head: '<script type="application/ld+json">{"@type":"VideoObject","name":"Old clip","uploadDate":"2019-10-11T14:59:54Z"}</script>',
    body: '<h1>Markets</h1>',
    published: null,
  },
  {
    kind: 'a page that is the video',
    head: '<meta property="og:type" content="video.other"><script type="application/ld+json">{"@type":"VideoObject","name":"Clip","uploadDate":"2019-10-11"}</script>',
    body: '<h1>Watch</h1>',
    published: '2019-10-11',
  },
  {
    kind: 'a page whose title is that of the video',
    head: '<title>Tides explained | Harbour TV</title><script type="application/ld+json">{"@type":"VideoObject","name":"Tides explained","uploadDate":"2019-10-11"}</script>',
    body: '',
    published: '2019-10-11',
  },
]

export const checks: readonly Check[] = pages.map(
  ({ kind, lang = 'en', head = '', body, published, modified = null }) => ({
    name: kind,
    async run() {
      const html = `<!doctype html><html lang="${lang}"><head>${head}<title>Page</title></head><body>${body}</body></html>`
      const found = await parsePreview(Buffer.from(html), {
        url: 'https://site.example.com/a',
        headers: { 'content-type': 'text/html; charset=utf-8' },
      })
      assert.deepEqual({ published: found.published, modified: found.modified }, { published, modified })
    },
  }),
)
