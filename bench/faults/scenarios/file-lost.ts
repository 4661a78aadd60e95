import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import type { FaultContext } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { ask, inParallel } from '../support/ask.ts'
import { becomesTrue } from '../support/becomes-true.ts'
import type { FaultServer } from '../support/server.ts'

/** `/readyz` must report within this time that nothing can be stored any more. */
const noticedMsMax = 15_000

export const fileDeleted: Scenario = {
  name: 'file-deleted',
  title: 'the database file is deleted',
  tried: 'deleted with its journal under calls',
  run: (context) =>
    spoil(context, ({ databasePath }) => {
      for (const end of ['', '-wal', '-shm']) rmSync(databasePath + end, { force: true })
    }),
}

export const journalDeleted: Scenario = {
  name: 'journal-deleted',
  title: 'the database’s journal is deleted',
  tried: 'the journal alone deleted under calls, which holds what is not in the file yet',
  run: (context) => spoil(context, ({ databasePath }) => rmSync(`${databasePath}-wal`, { force: true })),
}

export const fileOverwritten: Scenario = {
  name: 'file-overwritten',
  title: 'the database file is overwritten',
  tried: 'every page but the first overwritten with noise under calls',
  run: (context) => spoil(context, overwrite),
}

async function spoil(context: FaultContext, fault: (server: FaultServer) => void): Promise<void> {
  for (let round = 0; round < context.times(3, 1); round++) {
    const server = await context.startServer({ env: { LOG_LEVEL: 'error' } })
    await callSome(context, server)
    fault(server)
    context.count('files')
    await callSome(context, server)
    const isNoticed = await becomesTrue(async () => {
      const answer = await ask(context, `${server.url}/readyz`)
      return answer?.status === 503
    }, noticedMsMax)
    context.expect(isNoticed, '/readyz still says ready')
    await callSome(context, server)
    const key = await ask(context, `${server.url}/api/key`)
    context.expect(key?.status !== 200, 'a key is issued that would be lost')
  }
}

async function callSome(context: FaultContext, { url }: FaultServer): Promise<void> {
  const total = context.times(60, 20)
  context.count('calls', total)
  await inParallel(total, 8, async (index) => {
    await ask(context, `${url}/api/og?title=file+${index}&demo=1`)
  })
}

function overwrite({ databasePath }: FaultServer): void {
  for (const path of [databasePath, `${databasePath}-wal`]) {
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 }
    if (size === 0) continue
    const file = openSync(path, 'r+')
    const firstPage = 4096
    if (size > firstPage)
      writeSync(file, Buffer.alloc(size - firstPage, 0xa5), 0, size - firstPage, firstPage)
    closeSync(file)
  }
}
