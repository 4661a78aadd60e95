import { expect, test } from 'bun:test'
import { loggedPath } from '../../src/access/path-address.ts'
import { embedUrl } from '../../src/client/embed-url.ts'
import { openAdminServer } from '../admin/support/admin-server.ts'
import { logIn } from '../admin/support/operator.ts'
import { eventually } from '../support/eventually.ts'
import { rawGet, rawHttp } from '../support/raw-http.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'

const server = started(startServer)

test('every request leaves one line, with the id that its answer carries', async () => {
  const ids: string[] = []
  const paths = ['/api/og?title=Logged&demo=1', '/api/og?title=Logged', '/api/og', '/nope', '/healthz']
  for (const path of paths) {
    const response = await fetch(server.url + path)
    const id = response.headers.get('x-request-id')
    const line = await eventually(() => server.lines.find((one) => one['id'] === id))
    expect(line).toMatchObject({
      level: 'info',
      message: 'request',
      method: 'GET',
      path: path.split('?')[0],
      status: response.status,
      ms: expect.any(Number),
    })
    // Who called is told only where something was refused.
    expect(line['client']).toBe(response.ok ? undefined : '127.0.0.1')
    ids.push(String(id))
  }
  for (const id of ids) expect(server.lines.filter((line) => line['id'] === id)).toHaveLength(1)
})

test('no spelling of a signed address is shown with its signature, neither by the log nor by the traffic page', async () => {
  const admin = await openAdminServer()
  const operator = await logIn(admin)
  const { id, secret } = await (await fetch(`${admin.url}/api/key`)).json()
  const url = await embedUrl(`${admin.url}/api/og`, { title: 'Words of the picture' }, { key: id, secret })
  const path = url.slice(admin.url.length)
  const [, , , , payload = '', file = ''] = path.split('/')
  const sig = file.slice(0, 32)
  const encoded = Array.from(sig, (digit) => `%${digit.charCodeAt(0).toString(16)}`).join('')
  const query = `title=A&key=${id}&t=1700000000&sig=${sig}${sig}`
  const spellings = [
    path,
    `${path}x`,
    `${path}?v=2`,
    path.replace('/i/', '/%69/'),
    path.replace('/i/', '/I/'),
    path.replace('/i/', '//i/'),
    path.replace('/i/', '/i//'),
    path.replace('/i/', '/x/i/'),
    path.replace('/i/', '/mint/i/'),
    path.replace('/i/', '/api/i/'),
    path.replace('/i/', '/i;a=b/'),
    path.replace('/i/', '/%2569/'),
    path.replace('/i/', '/admin/i/'),
    path.replace('/og/', '/nothing/'),
    path.replace('mk_', 'mk%5F'),
    path.replace('mk_', 'key_'),
    path.replaceAll('/', '%2f').replace('%2f', '/'),
    path.replaceAll('/', '%252F').replace('%252F', '/'),
    path.replaceAll('/', '\\').replace('\\', '/'),
    path.replace(sig, encoded),
    path.replace(sig, `${sig}${sig}`),
    path.replace(sig, `=%0D%0A${sig}`),
    path.replace('.svg', '').replace('/i/', '/images/'),
    path.replace('.svg', '.gif'),
    `/nothing/${encoded}`,
    `/${sig}.svg`,
    `/api/og%3F${query}`,
    `/api/og%253F${query}`,
    `/api/og&${query}`,
    `/api/og;${query}`,
    `/nothing#${query}`,
    `/admin/setup%3Ftoken=${sig}`,
  ]
  for (const target of spellings) await rawHttp(admin.port, rawGet(target, `127.0.0.1:${admin.port}`))
  const shown = [admin.log(), await operator.page('/admin/traffic')].join('\n')
  for (const secretText of [sig, encoded, sig.slice(8), payload]) expect(shown).not.toContain(secretText)
  expect(shown).toContain(`/i/og/${id}`)
  await admin.close()
})

test.each([
  ['/i/og/mk_2345678abcdefghj/dGl0bGU9SGVsbG8/0123.svg', '/i/og/mk_2345678abcdefghj'],
  ['/wp-content/plugins/akismet/readme.txt', '/wp-content/plugins/akismet/readme.txt'],
  ['/admin/keys/mk_2345678abcdefghj', '/admin/keys/mk_2345678abcdefghj'],
  [`/x/${'ab'.repeat(16)}/y`, '/x/abababababababab…/y'],
])('the path %s is shown as %s', (path, shown) => {
  expect(loggedPath(path)).toBe(shown)
})

test('no signature, key, payment or word of the query is logged', async () => {
  const sig = 'ab'.repeat(32)
  await fetch(`${server.url}/api/og?title=PrivateWords&key=mk_private&t=1700000000&sig=${sig}`, {
    headers: {
      'x-payment': `0x${'cd'.repeat(32)}`,
      'x-payment-proof': 't=1,sig=0xproofproof',
      authorization: 'Payment topsecret',
      cookie: 'session=cookiesecret',
    },
  })
  // Lines are written in the order of the requests.
  const last = (await fetch(`${server.url}/healthz`)).headers.get('x-request-id')
  await eventually(() => server.lines.some((line) => line['id'] === last))
  const everything = JSON.stringify(server.lines)
  for (const secret of [
    'PrivateWords',
    'mk_private',
    sig,
    'cdcdcd',
    'proofproof',
    'topsecret',
    'cookiesecret',
  ]) {
    expect(everything).not.toContain(secret)
  }
})
