import {
  type AnyPage,
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

function page(words: AnyPage, more: Readonly<Record<string, string>> = {}, html: object = {}): string {
  const { title, description, body, author, date } = words
  const tags = {
    title,
    description,
    ogTitle: title,
    ogDescription: description,
    ...(author !== undefined && { author, articleAuthor: [author], articlePublishedTime: date }),
    ...more,
  }
  return `<script setup>
useSeoMeta(${JSON.stringify(tags)})
useHead({ htmlAttrs: ${JSON.stringify(html)} })
</script>

<template>
  <article>
    <h1>{{ ${quoted(title)} }}</h1>
    <p>{{ ${quoted(body)} }}</p>
  </article>
</template>
`
}

/** A text in a template of Vue. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c')
}

export const nuxt: Generator = {
  packages: { nuxt: '4.5.2', vue: '3.5.45' },
  files: {
    'nuxt.config.mjs': `export default defineNuxtConfig({
  compatibilityDate: '2026-01-01',
  telemetry: false,
  app: { head: { titleTemplate: '%s - ${site.name}', htmlAttrs: { lang: 'en' } } },
  nitro: {
    prerender: {
      routes: [
        '/docs/guides/tide-table', '/docs/reference/berth-signals', '/blog/quiet-winter', '/blog/new-crane',
        '/ar', '/crew/rota', '/${oldPath}',
      ],
    },
  },
  routeRules: { '/${oldPath}': { redirect: '/docs/guides/tide-table' } },
})
`,
    'app/pages/index.vue': page(home, { titleTemplate: '' }),
    'app/pages/docs/guides/tide-table.vue': page(tideTable),
    'app/pages/docs/reference/berth-signals.vue': page(berthSignals),
    'app/pages/blog/quiet-winter.vue': page(quietWinter),
    'app/pages/blog/new-crane.vue': page(newCrane),
    'app/pages/ar.vue': page(arabicWelcome, {}, { lang: 'ar', dir: 'rtl' }),
    'app/pages/crew/rota.vue': page(rota, { robots: 'noindex' }),
  },
  build: ['nuxt', 'generate'],
  output: '.output/public',
}
