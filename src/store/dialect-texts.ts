import type { Placeholder, SQL } from 'drizzle-orm'
import type { BuiltQuery } from './builders.ts'
import type { keys } from './schema.ts'

/** Queries that differ between databases. All others are written once, beside their table. */
export interface DialectTexts {
  /** Rows of `keys` that contain a text, which `searchTerm` made, newest first. */
  searchKeys(
    of: Places<'text' | 'limit'>,
  ): BuiltQuery & { readonly _: { readonly result: (typeof keys.$inferSelect)[] } }
  searchTerm(text: string): string
  /** Adds to a count. */
  addTraffic(of: Places<'day' | 'endpoint' | 'auth' | 'status' | 'count'>): SQL
  /** Adds all days up to the one given to day 0. */
  foldTraffic(of: Places<'upToDay'>): SQL
}

type Places<Name extends string> = Readonly<Record<Name, SQL & Placeholder>>
