import { cc } from 'bun:ffi'
import { join } from 'node:path'

/** The process of a slow link. Its arguments are the server's port and how many ms each way takes; it prints its own port. */
const [targetPort = '0', delayMs = '1'] = process.argv.slice(2)
const { symbols } = cc({
  source: join(import.meta.dirname, 'carry.c'),
  symbols: {
    openListener: { args: [], returns: 'int' },
    portOf: { args: ['int'], returns: 'int' },
    carry: { args: ['int', 'int', 'double'], returns: 'void' },
  },
})
const listener = symbols.openListener()
await Bun.write(Bun.stdout, `${symbols.portOf(listener)}\n`)
symbols.carry(listener, Number(targetPort), Number(delayMs))
