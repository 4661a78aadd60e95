/** @jsxImportSource #jsx */
import { describe, expect, test } from 'bun:test'
import { document, Markup } from '../../src/lib/jsx/markup.ts'
import cases from './urls.json' with { type: 'json' }

const hostile = `"><script>alert('1')</script>&amp;`

describe('pages cannot be injected into', () => {
  test('text, attributes and nested components are escaped exactly once', () => {
    function Inner({ children }: { children?: string }) {
      return <b title={hostile}>{children}</b>
    }
    const html = String(
      <p class={hostile}>
        <Inner>{hostile}</Inner>
        {[hostile, 7, null, false, undefined]}
      </p>,
    )
    expect(html).not.toContain('<script')
    expect(html.match(/&lt;script&gt;alert\(&#39;1&#39;\)&lt;\/script&gt;&amp;amp;/g)).toHaveLength(4)
    expect(html).toContain('7</p>')
  })

  test('only web addresses stand in links', () => {
    for (const url of cases.unsafe) expect(String(<a href={url}>x</a>)).toBe('<a href="#">x</a>')
    for (const url of cases.safe) expect(String(<a href={url}>x</a>)).toBe(`<a href="${url}">x</a>`)
  })

  test('a picture may stand in the page itself, as the source of an image alone', () => {
    const picture = 'data:image/svg+xml;base64,PHN2Zy8+'
    expect(String(<img src={picture} />)).toContain(picture)
    for (const other of [
      'data:text/html;base64,PHA+',
      'data:image/svg+xml,<svg/>',
      `${picture}"`,
      'data:image/gif;base64,R0',
    ])
      expect(String(<img src={other} />)).toContain('src="#"')
    expect(String(<a href={picture}>a</a>)).toContain('href="#"')
  })

  test('event attributes are refused, since the CSP would', () => {
    expect(() => <a onclick="x()">x</a>).toThrow('onclick')
  })

  test('markup passes unchanged', () => {
    const expected = '<!doctype html><html lang="en"><i>ok</i></html>'
    expect(document(<html lang="en">{new Markup('<i>ok</i>')}</html>)).toBe(expected)
  })
})
