import type { Asset } from '../../assets/kit/asset.ts'
import type { Page } from '../page.ts'
import { guideMarkdown, guidePage, guidesPage } from './guide-page.tsx'
import type { Guide } from './guides.ts'
import { searchIndex } from './search-index.ts'

/** The guides, the list of them, and what their search looks through. */
export function createGuidePages(assets: readonly Asset[], isPaid: boolean) {
  return {
    guideList: (): Page => ({ name: 'guides', write: guidesPage }),
    guide: (guide: Guide): Page => ({
      name: `guide ${guide.slug}`,
      write: (origin) => guidePage(guide, origin),
    }),
    guideMarkdown,
    search: (origin: string) => searchIndex(assets, isPaid, origin),
  }
}
