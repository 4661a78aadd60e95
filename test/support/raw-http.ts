import { connect } from 'node:net'
import { hangMsMax } from './hang-limit.ts'

const silenceMsMax = 3_000

export interface RawAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Sends bytes that no HTTP client would send, and reads until the server closes or is silent for 3 s after it began to
 * answer. The beginning may take longer, because other work may keep the machine busy.
 */
export function rawHttp(port: number, request: string): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(request))
    socket.setTimeout(hangMsMax, () => socket.destroy())
    socket.on('data', (chunk) => {
      socket.setTimeout(silenceMsMax)
      text += chunk.toString('latin1')
    })
    socket.on('close', () => resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }))
    socket.on('error', (error) => (text === '' ? reject(error) : undefined))
  })
}

/** A GET that closes the connection after its answer. */
export function rawGet(target: string, host: string, headers: readonly string[] = []): string {
  return [`GET ${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n')
}
