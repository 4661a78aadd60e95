import type { Asset } from '../../assets/kit/asset.ts'
import type { RequestContext } from '../../http/request-context.ts'
import type { Page } from '../page.ts'
import { guidePage, guidesPage } from './guide-page.tsx'
import type { Guide } from './guides.ts'
import { searchIndex } from './search-index.ts'

/** The guides, the list of them, and what their search looks through. */
export function createGuidePages(assets: readonly Asset[], isPaid: boolean) {
  return {
    guideList({ baseUrl }: RequestContext): Page {
      return { name: 'guides', write: () => guidesPage(baseUrl) }
    },
    guide(guide: Guide, { baseUrl }: RequestContext): Page {
      return { name: `guide ${guide.slug}`, write: () => guidePage(guide, baseUrl) }
    },
    search: (origin: string) => searchIndex(assets, isPaid, origin),
  }
}
