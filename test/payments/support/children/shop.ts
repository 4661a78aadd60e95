import { openShop } from '../shop.ts'

/** A shop in a process of its own, on a database that others may share and that outlives it. */
const [rpcUrl = '', path = '', env = '{}', speech = ''] = process.argv.slice(2)
const shop = await openShop(rpcUrl, { path, env: JSON.parse(env), saysHowToPay: speech !== 'silent' })
process.stdout.write(`${shop.url}\n`)
