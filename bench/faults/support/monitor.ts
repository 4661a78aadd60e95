import { join } from 'node:path'
import type { FaultServer } from './server.ts'

export interface MonitorReport {
  /** The longest that `/healthz` took to answer, in ms. */
  readonly stallMs: number
  /** The longest that the machine let it wait for a processor meanwhile, which is not counted above. */
  readonly waitMs: number
  /** Resident memory of the process tree when it was watched first, and at its highest. */
  readonly idleMb: number
  readonly peakMb: number
}

export interface Monitor {
  stop(): Promise<MonitorReport>
}

const script = join(import.meta.dirname, 'monitor-process.ts')

/** Watches a server from a process of its own, which no load here slows down. */
export async function startMonitor({ url, pid }: Pick<FaultServer, 'url' | 'pid'>): Promise<Monitor> {
  const child = Bun.spawn([process.execPath, script, url, String(pid)], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const reader = child.stdout.getReader()
  // Its first byte says that the idle server was measured.
  await reader.read()
  return {
    async stop() {
      await child.stdin.end()
      const report: MonitorReport = JSON.parse(await readAll(reader))
      await child.exited
      return report
    },
  }
}

async function readAll(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  for (let text = ''; ; ) {
    const { value, done } = await reader.read()
    if (done) return text
    text += decoder.decode(value, { stream: true })
  }
}
