import cases from './pages.json' with { type: 'json' }
import { adminKeyId, adminTxHash } from './seed-admin.ts'

export const seededPages: Readonly<Record<string, string>> = {
  overview: '/admin',
  keys: '/admin/keys?sort=used',
  'keys, exhausted': '/admin/keys?status=exhausted',
  'keys, searched': '/admin/keys?q=docs',
  'keys, nothing found': '/admin/keys?q=nothing-has-this-name',
  'a key': `/admin/keys/${adminKeyId(2)}`,
  'a new key': '/admin/keys/new',
  'no key': '/admin/keys/mk_2222222222222222',
  brands: '/admin/brands',
  'a new brand': '/admin/brands/new',
  'a brand': '/admin/brands/harbour',
  'the theme of a brand': '/admin/brands/harbour/theme',
  'archiving a brand': '/admin/brands/harbour/archive',
  usage: '/admin/usage?days=90',
  shares: '/admin/shares',
  'shares of a key': `/admin/shares?days=7&key=${adminKeyId(2)}`,
  links: '/admin/links',
  payments: '/admin/payments',
  'payments, unclaimed': '/admin/payments?state=unclaimed',
  'a payment': `/admin/payments/${adminTxHash(3)}`,
  'an unknown transaction': `/admin/payments/0x${'ab'.repeat(32)}`,
  traffic: '/admin/traffic',
  audit: '/admin/audit',
  settings: '/admin/settings',
}

export const emptyPages = cases.emptyPages as Readonly<Record<string, string>>
