import http from 'node:http'
import type net from 'node:net'
import { connectFailure } from './connect-tcp.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'

/** A request that was answered with its headers; the body still waits on the socket. */
export interface PendingResponse {
  readonly socket: net.Socket
  readonly response: http.IncomingMessage
  /** Resolves when the transfer breaks off before its end. */
  readonly broken: Promise<FailureReason>
}

export function sendRequest(
  socket: net.Socket,
  url: URL,
  headers: Readonly<Record<string, string>>,
  headerBytesMax: number,
): Promise<PendingResponse> {
  return new Promise((resolve, reject) => {
    function fail(reason: FailureReason) {
      socket.destroy()
      reject(new FetchFailure(reason))
    }
    // No `agent` key: even `agent: false` would make the client open a connection of its own.
    const request = http.request({
      path: url.pathname + url.search,
      headers: { Host: url.host, Connection: 'close', ...headers },
      maxHeaderSize: headerBytesMax,
      createConnection: () => socket,
    })
    let interim = 0
    request.on('information', () => {
      interim += 1
      if (interim > interimResponsesMax) fail('protocol_error')
    })
    request.on('upgrade', () => fail('protocol_error'))
    request.on('error', (error) => fail(transferFailure(error)))
    request.on('close', () => fail('connection_reset'))
    request.on('response', (response) => {
      request.removeAllListeners('close')
      request.removeAllListeners('error')
      resolve({ socket, response, broken: breakOf(request, response) })
    })
    request.end()
  })
}

function breakOf(request: http.ClientRequest, response: http.IncomingMessage): Promise<FailureReason> {
  return new Promise((resolve) => {
    request.on('error', (error) => resolve(transferFailure(error)))
    response.on('error', (error) => resolve(transferFailure(error)))
    // A parser that gives up aborts first and says why afterwards.
    response.on('aborted', () => setImmediate(() => resolve('connection_reset')))
  })
}

function transferFailure(error: unknown): FailureReason {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  if (code.startsWith('HPE_')) return 'protocol_error'
  return code === 'ECONNRESET' || code === 'EPIPE' ? 'connection_reset' : connectFailure(error)
}

/** 103 and 100 answers before the real one. */
const interimResponsesMax = 8
