/** A page of a site as benches want it: always the same for the same number. */
export interface BenchPage {
  readonly url: string
  readonly html: string
  readonly bytes: Uint8Array
}

export function benchPages(): readonly BenchPage[] {
  return Array.from({ length: 64 }, (_, index) =>
    pageOf(index, Math.round(2_048 * 512 ** ((index % 16) / 15))),
  )
}

/** Pages of a megabyte, all different. */
export function megabytePages(count: number): readonly BenchPage[] {
  return Array.from({ length: count }, (_, index) => pageOf(index, 2 ** 20))
}

function pageOf(index: number, sizeBytes: number): BenchPage {
  const html = buildPage(index, sizeBytes)
  const url = `https://site${index}.example.com/news/${index}`
  return { url, html, bytes: new TextEncoder().encode(html) }
}

const vocabulary =
  'harbour grain tonnes since opened moved letters window station river winter colour people größe café 東京 привет'.split(
    ' ',
  )

function words(seed: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => vocabulary[(seed * 7 + index * 13) % vocabulary.length],
  ).join(' ')
}

function buildPage(seed: number, sizeBytes: number): string {
  const head = heads[seed % heads.length]?.(seed) ?? ''
  const blocks: string[] = []
  for (let size = head.length; size < sizeBytes; ) {
    const block = pageBlocks[(seed + blocks.length) % pageBlocks.length]?.(seed + blocks.length) ?? ''
    blocks.push(block)
    size += block.length
  }
  return `<!doctype html><html lang="en"><head>${head}</head><body>${blocks.join('\n')}</body></html>`
}

function openGraph(seed: number): string {
  return ['title', 'description', 'site_name', 'type', 'url']
    .map(
      (key) =>
        `<meta property="og:${key}" content="${key === 'url' ? `https://x.example/${seed}` : words(seed, 8)}">`,
    )
    .join('\n')
}

const heads: readonly ((seed: number) => string)[] = [
  (seed) =>
    `<meta charset="utf-8"><title>${words(seed, 7)}</title>${openGraph(seed)}<meta property="og:image" content="/i/${seed}.jpg">` +
    `<meta property="og:image:width" content="1200"><meta name="twitter:card" content="summary_large_image">` +
    `<link rel="icon" sizes="32x32" href="/32.png"><link rel="canonical" href="/news/${seed}"><style>${'.a{color:red}'.repeat(120)}</style>` +
    `<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle","headline":"${words(seed, 6)}","author":[{"@type":"Person","name":"Ann Lee"}],"datePublished":"2026-01-02T03:04:05Z"}</script>`,
  (seed) =>
    `<meta charset="utf-8"><title>${words(seed, 5)}</title><meta name="description" content="${words(seed, 20)}">` +
    `<script>var data=${JSON.stringify(words(seed, 300))};</script><link rel="shortcut icon" href="/f.ico">`,
  (seed) => `<title>${words(seed, 4)} &amp; ${words(seed + 1, 2)}</title>${openGraph(seed)}`,
]

const pageBlocks: readonly ((seed: number) => string)[] = [
  (seed) => `<div class="card"><h2>${words(seed, 5)}</h2><p>${words(seed, 60)}</p></div>`,
  (seed) =>
    `<ul class="menu">${Array.from({ length: 12 }, (_, index) => `<li><a href="/p/${seed + index}" class="link">${words(index, 2)}</a></li>`).join('')}</ul>`,
  (seed) =>
    `<figure><img src="/img/${seed}.jpg" width="640" height="360" alt="${words(seed, 4)}"><figcaption>${words(seed, 8)}</figcaption></figure>`,
  (seed) => `<script>window.__state=${JSON.stringify({ list: words(seed, 120), id: seed })}</script>`,
  (seed) =>
    `<!-- ${words(seed, 20)} --><section data-id="${seed}"><svg viewBox="0 0 1 1"><path d="M0 0"/></svg><span>${words(seed, 15)}</span></section>`,
]
