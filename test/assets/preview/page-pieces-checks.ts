import assert from 'node:assert/strict'
import { MetadataCollector } from '../../../src/assets/preview/metadata-collector.ts'
import type { Check } from '../../support/check.ts'

/** Tokens that end in places of their own, and what of them is metadata. */
const page = `<!doctype html><?xml version="1.0"?><!--> <!---> <!-- a > b -- c --!><!-- <title>no</title> -->
<html lang=en><head><title>Grain &amp; gr&ouml;&szlig;e </title ><meta  name = 'author' content="Ann > Lee"/ >
<meta name=description content=it's/fine><META PROPERTY="og:title" CONTENT='a "b" &quot;c&quot;'>
<script type="application/ld+json">{"name":"</scr" , "x":"<!--"}</script><style>p > a { }</style>
</head><body><svg><![CDATA[ <title>no</title> > ]]><title>no</title></svg>1 < 2 </3></ p></>
<h1 class="a"id=b>Grain <b/>mo<i>v</i>es &zzz; &#x41;</h1><div class="byline">By <a rel="author" href=/x>Ann Lee</a></div>
<textarea><p>no</textarea><p data-x="${'long '.repeat(500)}">A paragraph that is long enough to be read &mdash; and one that has no end tag.
<time datetime="2018-05-17">17 May</time><img src="/i.png" alt="x>y"><a href="/`

function metadataOf(pieceChars: number) {
  const collector = new MetadataCollector()
  for (let at = 0; at < page.length; at += pieceChars) collector.write(page.slice(at, at + pieceChars))
  collector.end()
  return { ...collector.metadata, charsOf: undefined }
}

export const checks: readonly Check[] = [
  {
    name: 'a page is read the same, in whatever pieces it arrives',
    run() {
      const whole = metadataOf(page.length)
      assert.equal(whole.title, 'Grain & größe ')
      assert.deepEqual(
        whole.metas.map(({ key, content }) => [key, content]),
        [
          ['author', 'Ann > Lee'],
          ['description', "it's/fine"],
          ['og:title', 'a "b" "c"'],
        ],
      )
      assert.equal(whole.headings[0]?.text, 'Grain moves &zzz; A')
      assert.deepEqual(whole.linkedData, ['{"name":"</scr" , "x":"<!--"}'])
      assert.equal(whole.images[0]?.alt, 'x>y')
      for (const pieceChars of [1, 2, 3, 5, 7, 13, 64, 500]) assert.deepEqual(metadataOf(pieceChars), whole)
    },
  },
]
