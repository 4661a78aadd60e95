import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { chainId, shopkeeper } from '../../../test/payments/support/anvil.ts'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask } from '../support/ask.ts'
import type { ServerOptions } from '../support/server.ts'

const wallet = { X402_PAY_TO: shopkeeper.address, X402_NETWORK: `eip155:${chainId}` }

/** A start that would lose something or could never work is refused, in words that say what to do. */
export const badStart: Scenario = {
  name: 'bad-start',
  title: 'a start that must be refused',
  tried:
    'without the master key that the database belongs to, with a wallet and no RPC, on a file of noise; and one from another folder, which must not be',
  async run(context) {
    await loseMasterKey(context)
    context.count('starts')
    const refusal = await refusalOf(context, { env: wallet })
    context.expect(
      refusal?.includes('X402_RPC_URLS') ?? false,
      'a wallet without an RPC is no reason to refuse',
    )
    context.count('starts')
    await startElsewhere(context)
    await startOnNoise(context)
  },
}

async function loseMasterKey(context: FaultContext): Promise<void> {
  const dataDir = context.directory()
  const first = await context.startServer({ dataDir, isWatched: false })
  await ask(context, `${first.url}/api/key`)
  await first.stop()
  const keyPath = join(dataDir, 'master.key')
  rmSync(keyPath)
  context.count('starts')
  const refusal = await refusalOf(context, { dataDir })
  context.expect(refusal !== undefined, 'a start without the master key is not refused')
  context.expect(/master\.key/.test(refusal ?? ''), 'the refusal does not name the file that is missing')
  context.expect(!existsSync(keyPath), 'a new master key was written over the missing one')
}

/** SQLite's own words name neither the file nor the setting. */
async function startOnNoise(context: FaultContext): Promise<void> {
  const dataDir = context.directory()
  const path = join(dataDir, 'mintmark.sqlite')
  writeFileSync(path, Buffer.alloc(20_000, 'noise'))
  context.count('starts')
  const refusal = (await refusalOf(context, { dataDir })) ?? ''
  context.expect(
    refusal.includes(path) && /DATA_DIR|DATABASE_URL/.test(refusal),
    `a file of noise: ${refusal}`,
  )
}

/** The message of a start that is refused; undefined if the server starts. */
async function refusalOf(
  context: FaultContext,
  options: Partial<ServerOptions>,
): Promise<string | undefined> {
  try {
    await context.startServer({ ...options, isWatched: false })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function startElsewhere(context: FaultContext): Promise<void> {
  const refusal = await refusalOf(context, { cwd: context.directory() })
  context.expect(refusal === undefined, `it does not start from another folder: ${refusal?.slice(-120)}`)
}
