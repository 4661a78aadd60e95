import { createConnection, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy on loopback that can be a bad network. */
export type TcpProxy = Awaited<ReturnType<typeof startTcpProxy>>

export type CutMoment = 'before' | 'after' | 'underway'

/** The server is left so long with what it received before its connection ends; a message arrives so late. */
const lingerMs = 300

interface Trap {
  readonly text: string
  readonly when: CutMoment
  done(): void
}

export async function startTcpProxy(targetPort: number, delayMs = 0) {
  const sockets = new Set<Socket>()
  let isFrozen = false
  let trap: Trap | undefined

  function isCutAt(chunk: Buffer, client: Socket, server: Socket): boolean {
    if (trap === undefined || !chunk.includes(trap.text)) return false
    const { when, done } = trap
    trap = undefined
    cutConnection(client, server, chunk, when)
    done()
    return true
  }

  function pipe(from: Socket, to: Socket, isRequest: boolean): void {
    let last = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      if (isFrozen) return
      if (isRequest && isCutAt(chunk, from, to)) return
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
    pipe(client, upstream, true)
    pipe(upstream, client, false)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()

  function cut(): void {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
  }
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    /** Ends every connection at once. New ones are accepted. */
    cut,
    /** From now on nothing passes, in neither direction, and nobody is told; connections stay open. */
    freeze() {
      isFrozen = true
    },
    thaw() {
      cut()
      isFrozen = false
    },
    /**
     * Cuts the connection of whichever client sends this text next: before the text reaches the server, after it has, so
     * that the answer alone is lost, or while it is still on its way and reaches the server later. Resolves when it is cut.
     */
    cutAt: (text: string, when: CutMoment) =>
      new Promise<void>((done) => {
        trap = { text, when, done }
      }),
    disarm() {
      trap = undefined
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Ends the client's connection at once, and the server's when it has had the time to work on what it received. */
function cutConnection(client: Socket, server: Socket, chunk: Buffer, when: CutMoment): void {
  client.removeAllListeners('close')
  server.removeAllListeners('data')
  client.destroy()
  if (when === 'after') server.write(chunk)
  setTimeout(() => {
    if (when === 'underway' && server.writable) server.end(chunk)
    else server.destroy()
  }, lingerMs)
}
