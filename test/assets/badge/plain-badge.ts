import type { Badge } from '../../../src/assets/badge/badge.ts'
import { badgeOf, badgeQuery } from '../../../src/assets/badge/query.ts'
import { decodeQuery } from '../../../src/http/query.ts'

/** A flat badge of one part, which tests vary. */
export const plainBadge: Badge = {
  ...{ style: 'flat', label: '', message: 'x', color: '#298605' },
  ...{ links: [], idSuffix: '', scale: 1 },
}

/** The badge that a query asks for. */
export function badge(query: string): Badge {
  const decoded = decodeQuery(badgeQuery, query)
  if ('errors' in decoded) throw new Error(JSON.stringify(decoded.errors))
  return badgeOf(decoded.value)
}
