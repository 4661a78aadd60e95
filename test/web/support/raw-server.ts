import net from 'node:net'
import tls from 'node:tls'

/** Handles a connection once the request has come. */
export type Behaviour = (socket: net.Socket, request: string) => void

export interface RawServer {
  readonly port: number
  readonly connections: () => number
  /** Bytes that the server could hand to its sockets until they closed. */
  readonly bytesWritten: () => number
  readonly close: () => Promise<void>
}

export function startRawServer(behave: Behaviour, tlsOptions?: tls.TlsOptions): Promise<RawServer> {
  return new Promise((resolve) => {
    const sockets = new Set<net.Socket>()
    let connections = 0
    let written = 0
    function serve(socket: net.Socket) {
      socket.on('error', () => {})
      socket.once('data', (data) => behave(socket, data.toString('latin1')))
    }
    function track(socket: net.Socket) {
      connections += 1
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        written += socket.bytesWritten
        sockets.delete(socket)
      })
    }
    const server = tlsOptions === undefined ? net.createServer(serve) : tls.createServer(tlsOptions, serve)
    server.on('connection', track)
    server.on('tlsClientError', () => {})
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : 0,
        connections: () => connections,
        bytesWritten: () => written + [...sockets].reduce((sum, socket) => sum + socket.bytesWritten, 0),
        close: () =>
          new Promise((done) => {
            for (const socket of sockets) socket.destroy()
            server.close(() => done())
          }),
      })
    })
  })
}

export function flood(socket: net.Socket, piece: string | Uint8Array, everyMs = 0): void {
  function push() {
    if (socket.destroyed || !socket.writable) return
    if (everyMs > 0) {
      socket.write(piece)
      timer = setTimeout(push, everyMs)
    } else if (socket.write(piece)) timer = setTimeout(push, 0)
    else socket.once('drain', push)
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  socket.on('close', () => clearTimeout(timer))
  push()
}
