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
  const waiting = new Map<string, () => void>()
  /** Resolves when the chain has answered the next call of this method. */
  function answered(method: string): Promise<void> {
    return new Promise((resolve) => waiting.set(method, resolve))
  }

  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text()
      const call = JSON.parse(body) as JsonRpc
      calls.push(call.method)
      const headers = { 'content-type': 'application/json' }
      const answer =
        (await fault(call.method, call)) ?? (await fetch(target, { method: 'POST', body, headers }))
      waiting.get(call.method)?.()
      return answer
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    /** From now on every call goes through this. */
    breakWith(next: Fault) {
      fault = next
    },
    /** From now on every call of one method goes through this. */
    breakAt(method: string, next: (call: JsonRpc) => ReturnType<Fault>) {
      fault = (asked, call) => (asked === method ? next(call) : undefined)
    },
    /** From now on the chain's answers to one method are changed. */
    alter(method: string, change: (result: never) => unknown) {
      fault = (asked, call) => (asked === method ? altered(target, call, change) : undefined)
    },
    heal() {
      fault = () => undefined
    },
    /** Resolves when a transaction has been read and the next block is waited for. */
    async isWaitedFor(): Promise<void> {
      await answered('eth_getTransactionReceipt')
      // The first ones may belong to what was read, the last one is a look for a block.
      for (let looks = 0; looks < 4; looks += 1) await answered('eth_getBlockByNumber')
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
