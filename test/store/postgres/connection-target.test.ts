import { describe, expect, test } from 'bun:test'
import { parseConnectionUrl } from '../../../src/store/postgres/connection-target.ts'
import cases from './connection-target.json' with { type: 'json' }

function parse(url: string) {
  return parseConnectionUrl(url, (path) => {
    if (path === '/ca.pem') return 'certificate'
    throw new Error('no such file')
  })
}

describe('DATABASE_URL', () => {
  test('may name several servers, and has its user and password percent-encoded', () => {
    const target = parse('postgres://me%40home:p%3Aw%2F@one:5433,two,[::1]:6432/mint')
    expect(target).toMatchObject({
      hosts: [
        { host: 'one', port: 5433 },
        { host: 'two', port: 5432 },
        { host: '::1', port: 6432 },
      ],
      user: 'me@home',
      password: 'p:w/',
      database: 'mint',
    })
  })

  test('is shown without user and password', () => {
    expect(parse('postgresql://me:secret@one,two:6432/mint').name).toBe('postgres://one:5432,two:6432/mint')
  })

  test('verifies the certificate of every server that is not on this machine', () => {
    expect(parse('postgres://me@db.example.com/mint').tls).toMatchObject({ rejectUnauthorized: true })
    expect(parse('postgres://me@localhost,db.example.com/mint').tls).toMatchObject({
      rejectUnauthorized: true,
    })
    expect(parse('postgres://me@one/mint?sslmode=require').tls).toMatchObject({ rejectUnauthorized: true })
    expect(parse('postgres://me@127.0.0.1/mint').tls).toBe(false)
    expect(parse('postgres://me@10.0.0.7/mint?sslmode=disable').tls).toBe(false)
  })

  test('names the root certificate that signed the server’s', () => {
    const target = parse('postgres://me@one/mint?sslmode=verify-full&sslrootcert=/ca.pem')
    expect(target.tls).toMatchObject({ ca: 'certificate' })
  })

  test('may name a Unix socket', () => {
    const target = parse('postgres://me@:5433/mint?host=/run/postgresql')
    expect(target).toMatchObject({ hosts: [{ host: '/run/postgresql', port: 5433 }], tls: false })
  })

  test.each(cases.urls)('says what is wrong with %s, without its password', (url, message) => {
    let text = ''
    try {
      parse(url)
    } catch (error) {
      text = String(error)
    }
    expect(text).toContain('DATABASE_URL')
    expect(text).toContain(message)
    expect(text).not.toContain('secret')
  })
})
