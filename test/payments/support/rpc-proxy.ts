/** A fault that a proxy applies to a call; undefined lets the call pass. */
export type Fault = (method: string, request: JsonRpc) => Response | Promise<Response | undefined> | undefined

export interface JsonRpc {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** An RPC endpoint in front of a chain that fails as a test wants it to, and counts what it was asked. */
export function startRpcProxy(target: string) {
  let fault: Fault = () => undefined
  let calls: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text()
      const call = JSON.parse(body) as JsonRpc
      calls.push(call.method)
      const broken = await fault(call.method, call)
      if (broken !== undefined) return broken
      const headers = { 'content-type': 'application/json' }
      return await fetch(target, { method: 'POST', body, headers })
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** From now on every call goes through this. */
    breakWith(next: Fault) {
      fault = next
    },
    heal() {
      fault = () => undefined
    },
    takeCalls(): readonly string[] {
      const taken = calls
      calls = []
      return taken
    },
    stop: () => server.stop(true),
  }
}

/** The answer of the real chain, changed. */
export async function altered(
  target: string,
  call: JsonRpc,
  change: (result: never) => unknown,
): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(target, { method: 'POST', body: JSON.stringify(call), headers })
  const answer = (await response.json()) as { result: never }
  return Response.json({ ...answer, result: change(answer.result) })
}
