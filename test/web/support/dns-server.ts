import dgram from 'node:dgram'
import { isIPv4 } from 'node:net'

export interface DnsServer {
  /** `host:port`, as the setting for DNS servers wants it. */
  readonly address: string
  readonly questions: readonly string[]
  readonly close: () => void
}

type Answer = readonly string[] | 'servfail' | 'silence'

export function startDnsServer(answer: (name: string) => Answer): Promise<DnsServer> {
  return new Promise((resolve) => {
    const questions: string[] = []
    const socket = dgram.createSocket('udp4')
    socket.on('message', (query, from) => {
      const { name, type, end } = readQuestion(query)
      questions.push(`${type === 1 ? 'A' : 'AAAA'} ${name}`)
      const answers = answer(name)
      if (answers === 'silence') return
      socket.send(reply(query, end, type, answers), from.port, from.address)
    })
    socket.bind(0, '127.0.0.1', () => {
      resolve({ address: `127.0.0.1:${socket.address().port}`, questions, close: () => socket.close() })
    })
  })
}

function readQuestion(query: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function reply(query: Buffer, end: number, type: number, answers: Exclude<Answer, 'silence'>): Buffer {
  const code = answers === 'servfail' ? 2 : answers.length === 0 ? 3 : 0
  const fitting = answers === 'servfail' ? [] : answers.filter((address) => isIPv4(address) === (type === 1))
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180 | code, 2)
  header.writeUInt16BE(fitting.length, 6)
  header.writeUInt16BE(0, 8)
  header.writeUInt16BE(0, 10)
  return Buffer.concat([header, query.subarray(12, end), ...fitting.map((address) => record(type, address))])
}

function record(type: number, address: string): Buffer {
  const data = type === 1 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address)
  const head = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length])
  return Buffer.concat([head, data])
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right] = address.split('::')
  function words(part: string) {
    return part === '' ? [] : part.split(':').map((word) => Number.parseInt(word, 16))
  }
  const [head, tail] = [words(left), words(right ?? '')]
  const all =
    right === undefined ? head : [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail]
  return Buffer.from(all.flatMap((word) => [word >> 8, word & 0xff]))
}
