/** @jsxImportSource #jsx */
import type { Markup } from '../../lib/jsx/markup.ts'
import { siteAssets } from '../assets.ts'

/** A script that only some pages need. */
export function pageScript(name: 'chart.js' | 'contents.js' | 'search.js'): Markup {
  return <script type="module" src={siteAssets.path(name)} />
}
