/** @jsxImportSource #jsx */
import type { BrandEntry } from '../../src/brands/brand-directory.ts'
import type { Markup } from '../../src/lib/jsx/markup.ts'
import { pill } from './pill.tsx'

export function brandStatus({ archivedAtMs }: Pick<BrandEntry, 'archivedAtMs'>): Markup {
  return archivedAtMs === undefined ? pill('Active', 'ok') : pill('Archived', 'plain')
}

/** Who may use a brand, in two words. */
export function accessText({ access, keyIds }: Pick<BrandEntry, 'access' | 'keyIds'>): string {
  if (access === 'everyone') return 'everyone'
  return keyIds.size === 1 ? '1 key' : `${keyIds.size} keys`
}
