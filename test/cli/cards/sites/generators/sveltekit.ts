import {
  type AnyPage,
  berthSignals,
  home,
  japaneseWelcome,
  newCrane,
  oldPath,
  quietWinter,
  rota,
  site,
  tideTable,
} from '../content.ts'
import type { Generator } from '../generator.ts'

function page({ title, description, body, author, date }: AnyPage, head = ''): string {
  const full = title === site.name ? title : `${title} · ${site.name}`
  const byline =
    author === undefined ? '' : `<p class="byline">By ${author}, <time datetime="${date}">${date}</time></p>`
  return `<svelte:head>
	<title>{${JSON.stringify(full)}}</title>
	<meta name="description" content={${JSON.stringify(description)}} />
	${head}
</svelte:head>

<article>
	<h1>{${JSON.stringify(title)}}</h1>
	${byline}
	<p>{${JSON.stringify(body)}}</p>
</article>
`
}

export const sveltekit: Generator = {
  packages: {
    '@sveltejs/adapter-static': '4.0.1',
    '@sveltejs/kit': '3.2.0',
    '@sveltejs/vite-plugin-svelte': '7.3.1',
    svelte: '5.57.3',
    vite: '8.3.8',
  },
  files: {
    'vite.config.mjs': `import adapter from '@sveltejs/adapter-static'
import { sveltekit } from '@sveltejs/kit/vite'
import { defineConfig } from 'vite'

export default defineConfig({ plugins: [sveltekit({ adapter: adapter({ fallback: '404.html' }) })] })
`,
    'static/CNAME': 'harbour.example\n',
    'src/app.html': `<!doctype html>
<html lang="%lang%">
	<head>
		<meta charset="utf-8" />
		<meta name="viewport" content="width=device-width, initial-scale=1" />
		<meta name="text-scale" content="scale" />
		%sveltekit.head%
	</head>
	<body data-sveltekit-preload-data="hover">
		<div style="display: contents">%sveltekit.body%</div>
	</body>
</html>
`,
    'src/hooks.server.js': `export function handle({ event, resolve }) {
	const lang = event.url.pathname.startsWith('/ja') ? 'ja' : 'en'
	return resolve(event, { transformPageChunk: ({ html }) => html.replace('%lang%', lang) })
}
`,
    'src/routes/+layout.js': 'export const prerender = true\n',
    'src/routes/+page.svelte': page(home, `<link rel="alternate" hreflang="ja" href="/ja" />`),
    'src/routes/docs/guides/tide-table/+page.svelte': page(tideTable),
    'src/routes/docs/reference/berth-signals/+page.svelte': page(berthSignals),
    'src/routes/blog/quiet-winter/+page.svelte': page(quietWinter, articleTags(quietWinter)),
    'src/routes/blog/new-crane/+page.svelte': page(newCrane, articleTags(newCrane)),
    'src/routes/ja/+page.svelte': page(japaneseWelcome),
    'src/routes/crew/rota/+page.svelte': page(rota, '<meta name="robots" content="noindex" />'),
    [`src/routes/${oldPath}/+page.server.js`]: `import { redirect } from '@sveltejs/kit'

export function load() {
	redirect(308, '/docs/guides/tide-table')
}
`,
  },
  build: ['vite', 'build'],
  output: 'build',
}

function articleTags({ author, date }: typeof newCrane): string {
  return `<meta name="author" content="${author}" />
	<meta property="article:published_time" content="${date}" />
	<meta property="article:section" content="Works" />`
}
