import { readStartConfig } from '../../src/cli/read-start-config.ts'
import type { ServiceDeps } from '../../src/parts.ts'
import { createService } from '../../src/service.ts'
import { inTurns, row } from './measure.ts'
import { defer, directory } from './processes.ts'

export type Ask = (request: Request) => Response | Promise<Response>

/** The whole service within this process, asked without a network. */
export async function openService(env: Readonly<Record<string, string>>, deps: Partial<ServiceDeps> = {}) {
  const settings = { DATA_DIR: directory(), LOG_LEVEL: 'silent', DEMO_DAILY_QUOTA: '1000000000', ...env }
  const service = await createService({
    config: await readStartConfig(settings, () => ''),
    readFile: () => '',
    write: () => {},
    ...deps,
  })
  defer(() => service.close())
  return service
}

/** Requests in flight together, as from many clients. */
const together = 50
const perRound = 2_000

export interface Side {
  readonly ask: Ask
  readonly url: (index: number) => string
}

/** CPU time of a request of ours against a peer's, each answer read. Making the requests is not counted; their garbage is. */
export async function requestRow(what: string, peer: string, sides: readonly [Side, Side], min: number) {
  let next = 0
  async function micros({ ask, url }: Side): Promise<number> {
    const requests = Array.from({ length: perRound }, () => new Request(url(next++)))
    const before = process.cpuUsage()
    for (let start = 0; start < perRound; start += together) {
      const answers = await Promise.all(requests.slice(start, start + together).map(ask))
      if (answers.some(({ status }) => status !== 200)) throw new Error('the service did not answer')
      await Promise.all(answers.map((answer) => answer.bytes()))
    }
    const { user, system } = process.cpuUsage(before)
    return (user + system) / perRound
  }
  const turns = await inTurns([() => micros(sides[0]), () => micros(sides[1])], { warmUps: 10, rounds: 15 })
  const [ours, ratio] = [turns.median(0), turns.ratio(1, 0)]
  return row({ what, ours, unit: 'µs', peer, theirs: ours * ratio, ratio, min })
}
