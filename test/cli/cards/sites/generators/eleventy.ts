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

const layout = `<!doctype html>
<html lang="{{ lang or 'en' }}"{% if dir %} dir="{{ dir }}"{% endif %}>
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1.0">
    <title>{% if page.url == '/' %}{{ title }}{% else %}{{ title }} – {{ site.name }}{% endif %}</title>
    <meta name="description" content="{{ description }}">
    <link rel="canonical" href="{{ site.url }}{{ page.url }}">
    {% if author %}<meta name="author" content="{{ author }}">{% endif %}
    {% if robots %}<meta name="robots" content="{{ robots }}">{% endif %}
    <meta name="generator" content="{{ eleventy.generator }}">
    <script>document.head.insertAdjacentHTML('beforeend', '<meta property="og:image" content="/never.png">')</script>
  </head>
  <body>
    <header><a href="/">{{ site.name }}</a></header>
    <main>
      <h1>{{ title }}</h1>
      {% if author %}<p><time datetime="{{ page.date | iso }}">{{ page.date | iso }}</time> by {{ author }}</p>{% endif %}
      {{ content | safe }}
    </main>
  </body>
</html>
`

export const eleventy: Generator = {
  packages: { '@11ty/eleventy': '3.1.8' },
  files: {
    'eleventy.config.mjs': `export default function (config) {
  config.addFilter('iso', (date) => date.toISOString().slice(0, 10))
  config.addGlobalData('site', ${JSON.stringify(site)})
  config.addGlobalData('layout', 'page.njk')
}
`,
    '_includes/page.njk': layout,
    'index.md': markdown(home),
    'docs/guides/tide-table.md': markdown(tideTable),
    'docs/reference/berth-signals.md': markdown(berthSignals),
    'blog/quiet-winter.md': markdown(quietWinter),
    'blog/new-crane.md': markdown(newCrane),
    'ar.md': markdown(arabicWelcome, { lang: 'ar', dir: 'rtl' }),
    'crew/rota.md': markdown(rota, { robots: 'noindex' }),
    '404.md': markdown(
      { title: 'Not found', description: 'There is no such page.', body: 'There is no such page.\n' },
      { permalink: '404.html' },
    ),
    'old.html': `---
permalink: ${oldPath}/index.html
layout: false
---
<!doctype html>
<meta charset="utf-8">
<title>Moved</title>
<meta http-equiv="refresh" content="0; url=/docs/guides/tide-table/">
<link rel="canonical" href="${site.url}/docs/guides/tide-table/">
`,
  },
  build: ['eleventy', '--quiet'],
  output: '_site',
}
