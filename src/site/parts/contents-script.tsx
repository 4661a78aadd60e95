/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { siteAssets } from '../assets.ts'

/** Marks the section that is read, in the page's list of contents. */
export function contentsScript(): Markup {
  return <script type="module" src={siteAssets.path('contents.js')} />
}
