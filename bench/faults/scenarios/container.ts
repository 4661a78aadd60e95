import { chmodSync, chownSync, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { buildImage, type ContainerImage, noImageReason } from '../../../test/support/container-image.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { type FaultContext, NotPossibleHere } from '../context.ts'
import type { Scenario } from '../scenario.ts'
import { DemoCalls, isIntact } from '../support/accounts.ts'
import { ask, inParallel } from '../support/ask.ts'
import { adminPassword, type FaultServer } from '../support/server.ts'

const demoDailyQuota = '1000000'

/** The image of the Dockerfile, whole, with the packages that its own install brings. */
export const container: Scenario = {
  name: 'container',
  title: 'the container has no rights',
  tried:
    'the image built and run as its user on a read-only root: killed under calls with its volume, without a volume, and with one that it may not write to',
  async run(context) {
    if (noImageReason !== undefined) throw new NotPossibleHere(noImageReason)
    const cache = join(homedir(), '.bun/install/cache')
    const image = buildImage({ mounts: existsSync(cache) ? { '/root/.bun/install/cache': cache } : {} })
    context.defer(() => image.remove())
    const dataDir = context.directory()
    chownSync(dataDir, image.uid, image.uid)
    chmodSync(dataDir, 0o700)
    const demo = new DemoCalls()
    for (let round = 0; round < context.times(5, 1); round++)
      await killUnderCalls(context, image, dataDir, demo)
    const last = await startContainer(context, image, dataDir)
    for (const format of ['svg', 'png', 'jpeg', 'webp'])
      await ask(context, `${last.url}/api/og?title=a&demo=1&format=${format}`, { expected: [200] })
    await ask(context, `${last.url}/api/key`, { expected: [200] })
    context.expect(isIntact(last.databasePath), 'the database file is damaged')

    const closed = context.directory()
    chmodSync(closed, 0o755)
    await expectRefusal(context, image, closed, 'a volume that it may not write to')
    await expectRefusal(context, image, undefined, 'no volume')
  },
}

async function killUnderCalls(
  context: FaultContext,
  image: ContainerImage,
  dataDir: string,
  demo: DemoCalls,
): Promise<void> {
  const server = await startContainer(context, image, dataDir)
  await ask(context, `${server.url}/readyz`, { expected: [200] })
  const total = context.times(100, 20)
  context.count('calls', total)
  const calls = inParallel(total, 8, async (index) => {
    await demo.call(() => ask(context, `${server.url}/api/og.png?title=container+${index % 7}&demo=1`))
  })
  await Bun.sleep(Math.random() * 300)
  await server.stop('SIGKILL')
  await calls
  context.count('kills')
  demo.check(context, server)
}

/** Options for every start of a container. The image has its own settings, so none of this machine's are passed. */
async function optionsOf(image: ContainerImage, dataDir: string | undefined) {
  const port = await freePort()
  const env = {
    PORT: String(port),
    HOST: '127.0.0.1',
    DRAIN_MS: '0',
    LOG_LEVEL: 'error',
    ADMIN_PASSWORD: adminPassword,
    DEMO_DAILY_QUOTA: demoDailyQuota,
    KEYS_PER_IP_PER_DAY: '1000',
  }
  // The words of this machine's own program come behind these, and are not looked at.
  const program = ['sh', '-c', `exec ${image.cmd.join(' ')}`, 'container']
  return { port, launcher: image.command(program, { env, ...(dataDir !== undefined && { dataDir }) }) }
}

async function startContainer(
  context: FaultContext,
  image: ContainerImage,
  dataDir: string,
): Promise<FaultServer> {
  return await context.startServer({ dataDir, ...(await optionsOf(image, dataDir)) })
}

async function expectRefusal(
  context: FaultContext,
  image: ContainerImage,
  dataDir: string | undefined,
  what: string,
): Promise<void> {
  context.count('starts that must be refused')
  const options = await optionsOf(image, dataDir)
  const refusal = await context
    .startServer({ ...options, ...(dataDir !== undefined && { dataDir }), isWatched: false })
    .then(() => 'it serves', String)
  context.expect(
    refusal.includes('/data/mintmark.sqlite (DATA_DIR)') && refusal.includes(`user ${image.uid}`),
    `${what}: ${refusal.slice(-200)}`,
  )
}
