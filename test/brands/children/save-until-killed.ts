import { form, temporaryBrands } from '../support/temporary-brands.ts'

// Saves revisions with new files, each of half a megabyte, and prints each number when it is stored.

const [path = '', name = ''] = process.argv.slice(2)
const { brands } = await temporaryBrands({ path })
for (let n = 0; ; n += 1) {
  const existing = brands.find('acme') === undefined ? undefined : 'acme'
  const files = { logo: new TextEncoder().encode(`${name} ${n}`), textFont: new Uint8Array(500_000).fill(n) }
  const saved = await brands.save(form({ name, ...(existing ? {} : { slug: 'acme' }) }, files), existing)
  if ('revision' in saved) process.stdout.write(`${saved.revision}\n`)
}
