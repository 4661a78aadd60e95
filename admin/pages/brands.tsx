/** @jsxImportSource #jsx */
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import { formatCount } from '../../src/lib/human-format.ts'
import type { Child, Markup } from '../../src/lib/jsx/markup.ts'
import { wholeNumber } from '../data/whole-number.ts'
import type { AdminDeps } from '../deps.ts'
import { accessText, brandStatus } from '../parts/brand-status.tsx'
import { brandThumbnail } from '../parts/brand-thumbnail.tsx'
import { iconButton } from '../parts/buttons.tsx'
import { adminPage } from '../parts/layout.tsx'
import { emptyList, listCard, pager } from '../parts/list.tsx'
import { type Column, scrollTable, tableRow } from '../parts/table.tsx'
import type { AdminRequest } from '../session/admin-request.ts'

const rowsPerPage = 40

interface ListedBrand {
  readonly brand: BrandEntry
  /** Cards of the last 30 days. */
  readonly cards: number
}

/** `/admin/brands`: every brand with a small card of its newest revision; archived ones come last. */
export async function brandsPage(deps: AdminDeps, { query }: AdminRequest): Promise<Markup> {
  const { brands } = deps
  const all = brands.list().toSorted((one, other) => Number(isArchived(one)) - Number(isArchived(other)))
  const pageMax = Math.max(1, Math.ceil(all.length / rowsPerPage))
  const page = Math.min(wholeNumber(query.get('page')) || 1, pageMax)
  const shown = all.slice((page - 1) * rowsPerPage, page * rowsPerPage)
  const listed = await Promise.all(shown.map(async (brand) => ({ brand, ...(await brands.use(brand.slug)) })))
  const pages = {
    'First page': page > 1 ? '/admin/brands' : undefined,
    Next: page < pageMax ? `/admin/brands?page=${page + 1}` : undefined,
  }
  return adminPage(
    deps,
    {
      title: 'Brands',
      section: 'brands',
      lead: 'Your logo, colours, fonts and picture on every card whose URL names the brand.',
      actions: iconButton('plus', '/admin/brands/new', 'New brand', 'btn primary'),
    },
    listCard('List of brands', [listed.length === 0 ? noBrands() : brandTable(listed), pager(pages)]),
  )
}

const columns: readonly Column<ListedBrand>[] = [
  { head: 'Card', class: 'c-card', hidesHead: true, cell: ({ brand }) => brandThumbnail(brand) },
  { head: 'Brand', class: 'c-name', cell: ({ brand }) => nameLink(brand) },
  { head: 'Status', class: 'c-status', cell: ({ brand }) => brandStatus(brand) },
  { head: 'Revision', class: 'c-used num', cell: ({ brand }) => String(brand.revision) },
  { head: 'Access', class: 'c-for', cell: ({ brand }) => accessText(brand) },
  { head: 'Cards, 30 days', class: 'c-last num', cell: ({ cards }) => formatCount(cards) },
]

function isArchived({ archivedAtMs }: BrandEntry): boolean {
  return archivedAtMs !== undefined
}

function brandTable(listed: readonly ListedBrand[]): Markup {
  const rows = listed.map((each) =>
    tableRow(columns, each, { class: isArchived(each.brand) ? 'off' : undefined }),
  )
  return scrollTable({ class: 'keys', columns, rows })
}

function nameLink({ slug, name }: BrandEntry): Child {
  return [
    <a class="name" href={`/admin/brands/${slug}`} dir="auto">
      {name}
    </a>,
    <span class="id">{slug}</span>,
  ]
}

function noBrands(): Markup {
  return emptyList('No brands yet', [
    <p>
      A brand makes every card look like it came from one designer. Make one, then add <code>brand=…</code> to
      the URLs of its cards.
    </p>,
    iconButton('plus', '/admin/brands/new', 'New brand', 'btn primary'),
  ])
}
