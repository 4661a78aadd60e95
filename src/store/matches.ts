import { and, type Column, eq, type SQL } from 'drizzle-orm'

/** The condition that each of the columns has the value of its parameter. */
export function matches<Name extends string>(
  columns: Readonly<Record<Name, Column>>,
  of: { readonly [Each in NoInfer<Name>]: SQL },
): SQL | undefined {
  return and(...Object.entries<Column>(columns).map(([name, column]) => eq(column, of[name as Name])))
}
