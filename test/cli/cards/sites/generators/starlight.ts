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

const noIndex = { head: [{ tag: 'meta', attrs: { name: 'robots', content: 'noindex' } }] }

export const starlight: Generator = {
  packages: { '@astrojs/starlight': '0.42.4', astro: '7.3.5' },
  files: {
    'astro.config.mjs': `import starlight from '@astrojs/starlight'
import { defineConfig } from 'astro/config'

export default defineConfig({
  site: '${site.url}',
  redirects: { '/${oldPath}': '/guides/tide-table' },
  integrations: [
    starlight({
      title: '${site.name}',
      description: '${site.description}',
      defaultLocale: 'root',
      locales: { root: { label: 'English', lang: 'en' }, ar: { label: 'العربية', dir: 'rtl' } },
      sidebar: [
        { label: 'Guides', items: [{ autogenerate: { directory: 'guides' } }] },
        { label: 'Reference', items: [{ autogenerate: { directory: 'reference' } }] },
      ],
      pagefind: false,
    }),
  ],
})
`,
    'src/content.config.ts': `import { docsLoader } from '@astrojs/starlight/loaders'
import { docsSchema } from '@astrojs/starlight/schema'
import { defineCollection } from 'astro:content'
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) }
`,
    'src/content/docs/index.mdx': markdown(home, {
      template: 'splash',
      hero: { tagline: 'Tides, berths and boats, written down once.' },
    }),
    'src/content/docs/guides/tide-table.md': markdown(tideTable),
    'src/content/docs/reference/berth-signals.md': markdown(berthSignals),
    'src/content/docs/news/quiet-winter.md': markdown(withoutByline(quietWinter)),
    'src/content/docs/news/new-crane.md': markdown(withoutByline(newCrane)),
    'src/content/docs/ar/guides/welcome.md': markdown(arabicWelcome),
    'src/content/docs/crew/rota.md': markdown(rota, noIndex),
  },
  build: ['astro', 'build'],
  output: 'dist',
}

/** The theme shows neither authors nor dates, and refuses fields that it does not know. */
function withoutByline({ title, description, body }: typeof newCrane) {
  return { title, description, body }
}
