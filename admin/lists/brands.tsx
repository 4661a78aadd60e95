/** @jsxImportSource #jsx */
import { Type } from '@sinclair/typebox'
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import { integer } from '../../src/lib/fields.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { type Column, iconButton, nameLink, pill, thumbnail } from '../parts/elements.tsx'
import { defineList, emptyList } from './list.tsx'

const rowsPerPage = 40

interface ListedBrand {
  readonly brand: BrandEntry
  readonly cards: number
}

const newBrand = iconButton('plus', '/admin/brands/new', 'New brand', 'btn primary')

/** `/admin/brands`: every brand with a small card of its newest revision; archived ones come last. */
export const brandsList = defineList({
  path: '/admin/brands',
  section: 'brands',
  query: Type.Object({ page: integer(1, 1_000_000, { default: 1, description: 'Which part of the list' }) }),
  cursor: 'page',
  async read({ brands }, { page: asked }) {
    const all = brands.list().toSorted((one, other) => Number(isArchived(one)) - Number(isArchived(other)))
    const pageMax = Math.max(1, Math.ceil(all.length / rowsPerPage))
    const page = Math.min(asked, pageMax)
    const shown = all.slice((page - 1) * rowsPerPage, page * rowsPerPage)
    const rows = shown.map(async (brand) => ({ brand, ...(await brands.use(brand.slug)) }))
    return { rows: await Promise.all(rows), next: page < pageMax ? page + 1 : undefined, isFirst: page === 1 }
  },
  head: () => ({
    title: 'Brands',
    lead: 'Your logo, colours, fonts and picture on every card whose URL names the brand.',
    buttons: newBrand,
  }),
  table: {
    title: 'List of brands',
    columns: () => columns,
    rowClass: ({ brand }) => (isArchived(brand) ? 'off' : undefined),
    empty: () =>
      emptyList(
        'No brands yet',
        [
          'A brand makes every card look like it came from one designer. Make one, then add ',
          <code>brand=…</code>,
          ' to the URLs of its cards.',
        ],
        newBrand,
      ),
  },
})

const columns: readonly Column<ListedBrand>[] = [
  {
    head: 'Card',
    class: 'tool',
    hidesHead: true,
    cell: ({ brand: { slug, revision } }) => thumbnail(`/admin/brands/${slug}/${revision}/card`),
  },
  { head: 'Brand', class: 'main', cell: ({ brand: { slug, name } }) => nameLink('brands', slug, name) },
  { head: 'Status', class: 'side', cell: ({ brand }) => brandStatus(brand) },
  { head: 'Revision', class: 'num', cell: ({ brand }) => String(brand.revision) },
  { head: 'Access', cell: ({ brand }) => accessText(brand) },
  { head: 'Cards, 30 days', class: 'num', cell: ({ cards }) => formatCount(cards) },
]

function isArchived({ archivedAtMs }: BrandEntry): boolean {
  return archivedAtMs !== undefined
}

export function brandStatus(brand: BrandEntry): Markup {
  return isArchived(brand) ? pill('Archived', 'plain') : pill('Active', 'ok')
}

function accessText({ access, keyIds }: BrandEntry): string {
  if (access === 'everyone') return 'everyone'
  return keyIds.size === 1 ? '1 key' : `${keyIds.size} keys`
}
