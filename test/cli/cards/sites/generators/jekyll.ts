import {
  arabicWelcome,
  berthSignals,
  home,
  newCrane,
  oldPath,
  quietWinter,
  rota,
  site,
  tideTable,
} from '../content.ts'
import type { Generator } from '../generator.ts'
import { markdown } from '../markdown.ts'

export const jekyll: Generator = {
  files: {
    '_config.yml': `title: ${site.name}
description: ${site.description}
url: ${site.url}
baseurl: /handbook
theme: minima
permalink: pretty
lang: en
plugins: [jekyll-feed, jekyll-seo-tag, jekyll-sitemap, jekyll-redirect-from]
`,
    'index.md': markdown({ ...home, body: '' }, { layout: 'home' }),
    'docs/guides/tide-table.md': markdown(tideTable, { layout: 'page', redirect_from: [`/${oldPath}`] }),
    'docs/reference/berth-signals.md': markdown(berthSignals, { layout: 'page' }),
    '_posts/2026-02-14-quiet-winter.md': markdown(quietWinter, { layout: 'post' }),
    '_posts/2026-05-03-new-crane.md': markdown(newCrane, { layout: 'post', image: '/assets/crane.jpg' }),
    'ar/welcome.md': markdown(arabicWelcome, { layout: 'page', lang: 'ar' }),
    '404.html': `---
permalink: /404.html
layout: default
---
<h1>404</h1>
<p>The requested page could not be found.</p>
`,
    'crew/rota.html': `---
title: ${rota.title}
sitemap: false
---
<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${rota.title}</title><meta name="robots" content="noindex"></head>
<body><h1>${rota.title}</h1></body></html>
`,
  },
  build: ['jekyll', 'build', '--quiet'],
  output: '_site',
}
