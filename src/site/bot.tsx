/** @jsxImportSource #jsx */
import { Elysia } from 'elysia'
import type { PublicDocuments } from '../http/public-documents.ts'
import type { Markup } from '../lib/jsx/markup.ts'
import { headOf, layout } from './layout.tsx'
import { page } from './page.ts'
import { fill } from './parts/texts.ts'
import source from './texts/bot.md' with { type: 'text' }

/** `GET /bot`: what our fetcher requests, at most `perMinute` from one domain, and how to block it. */
export function bot(documents: PublicDocuments, product: string, perMinute: number) {
  const summary = 'About our fetcher, and how to keep it out.'
  return new Elysia({ name: 'bot' }).get(
    '/bot',
    ...page(documents, 'bot', summary, () => ({
      name: 'bot',
      write: (origin) => botPage(product, perMinute, origin),
    })),
  )
}

async function botPage(product: string, perMinute: number, origin: string): Promise<Markup> {
  const { prose } = await import('./guides/markdown.tsx')
  const head = { ...headOf('bot', origin), title: `${product}, the fetcher of Mintmark` }
  const values = { product, perMinute, withoutKey: Math.floor(perMinute / 5) }
  return layout(head, <article class="prose">{prose(fill(source, values))}</article>)
}
