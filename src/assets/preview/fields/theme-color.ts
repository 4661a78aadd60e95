import { isCssColor } from '../../../lib/css-color.ts'
import { type FieldRule, metaContents } from '../rule.ts'

/** A page may declare one for each colour scheme; the first that browsers take for a colour counts. */
export const themeColorRules: readonly FieldRule<string>[] = [
  {
    source: 'meta:theme-color',
    find: (page) => metaContents(page, 'theme-color', 'name').find(isCssColor),
  },
]
