import { createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy on loopback that can be a bad network. */
export interface TcpProxy {
  readonly port: number
  /** Ends every connection at once. New ones are accepted. */
  cut(): void
  /** From now on nothing passes, in neither direction, and nobody is told; connections stay open. */
  freeze(): void
  /** Drops what was frozen, and lets new connections through. */
  thaw(): void
  close(): Promise<void>
}

/** @param delayMs how long each way takes */
export async function startTcpProxy(targetPort: number, delayMs = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  let isFrozen = false

  function pipe(from: Socket, to: Socket): void {
    let last = Promise.resolve()
    from.on('data', (chunk) => {
      if (isFrozen) return
      if (delayMs === 0) to.write(chunk)
      else
        last = Promise.all([last, sleep(delayMs)]).then(() => {
          if (!isFrozen && to.writable) to.write(chunk)
        })
    })
    from.on('error', () => to.destroy())
    from.on('close', () => {
      sockets.delete(from)
      if (!isFrozen) to.destroy()
    })
  }

  const server = createServer((client) => {
    sockets.add(client)
    if (isFrozen) {
      client.on('error', () => {})
      return
    }
    const upstream = createConnection(targetPort, '127.0.0.1')
    client.setNoDelay(true)
    upstream.setNoDelay(true)
    sockets.add(upstream)
    pipe(client, upstream)
    pipe(upstream, client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()

  function cut(): void {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    cut,
    freeze() {
      isFrozen = true
    },
    thaw() {
      cut()
      isFrozen = false
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
