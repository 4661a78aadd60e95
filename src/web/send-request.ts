import http from 'node:http'
import type net from 'node:net'
import { errorCode } from '../lib/error-code.ts'
import { connectFailure } from './connect.ts'
import { type FailureReason, FetchFailure } from './fetch-failure.ts'

/** A response whose headers have arrived and whose body is still to be read from the socket. */
export interface PendingResponse {
  readonly socket: net.Socket
  readonly response: http.IncomingMessage
  /** Resolves if the transfer ends before the body is complete. */
  readonly broken: Promise<FailureReason>
}

/**
 * Sends a GET request, or a POST where there is a body, on this socket and resolves with the headers of the response.
 * Rejects with FetchFailure.
 */
export function sendRequest(
  socket: net.Socket,
  url: URL,
  headers: Readonly<Record<string, string>>,
  headerBytesMax: number,
  body?: string,
): Promise<PendingResponse> {
  return new Promise((resolve, reject) => {
    function fail(reason: FailureReason) {
      socket.destroy()
      reject(new FetchFailure(reason))
    }
    // No `agent` key: even `agent: false` would make the client open a connection of its own.
    const request = http.request({
      method: body === undefined ? 'GET' : 'POST',
      path: url.pathname + url.search,
      headers: { Host: url.host, Connection: 'close', ...headers },
      maxHeaderSize: headerBytesMax,
      createConnection: () => socket,
    })
    let interimResponses = 0
    request.on('information', () => {
      interimResponses += 1
      if (interimResponses > interimResponsesMax) fail('protocol_error')
    })
    request.on('upgrade', () => fail('protocol_error'))
    request.on('error', (error) => fail(transferFailure(error)))
    request.on('close', () => fail('connection_reset'))
    request.on('response', (response) => {
      request.removeAllListeners('close')
      request.removeAllListeners('error')
      resolve({ socket, response, broken: transferEnd(request, response) })
    })
    request.end(body)
  })
}

function transferEnd(request: http.ClientRequest, response: http.IncomingMessage): Promise<FailureReason> {
  return new Promise((resolve) => {
    request.on('error', (error) => resolve(transferFailure(error)))
    response.on('error', (error) => resolve(transferFailure(error)))
    // The HTTP parser emits `aborted` before the error that tells why.
    response.on('aborted', () => setImmediate(() => resolve('connection_reset')))
  })
}

function transferFailure(error: unknown): FailureReason {
  const code = errorCode(error)
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large'
  return code.startsWith('HPE_') ? 'protocol_error' : connectFailure(error)
}

/** Responses with status 100 or 103 before the final one. */
const interimResponsesMax = 8
