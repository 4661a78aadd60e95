import type { Badge } from '../../../src/assets/badge/badge.ts'

/** A flat badge of one part, which tests vary. */
export const plainBadge: Badge = {
  style: 'flat',
  label: '',
  message: 'x',
  color: '#298605',
  links: [],
  idSuffix: '',
  scale: 1,
}
