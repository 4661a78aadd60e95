import { describe, expect, test } from 'bun:test'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { Parser } from 'htmlparser2'
import { embedUrl } from '../../src/client/embed-url.ts'
import { escapeHtml } from '../../src/lib/jsx/markup.ts'
import { hasBrowser, openBrowser, openPage } from '../admin/support/browser.ts'
import { startServer } from '../support/server.ts'
import { started } from '../support/started.ts'
import { isQuick } from '../support/test-size.ts'
import { createUserProject } from '../support/user-project.ts'
import { addressVectors } from './addresses.ts'

const addresses = addressVectors.vectors.map(({ address }) => `https://mintmark.example${address}`)

test('no usual escaping changes an address', () => {
  for (const address of addresses) {
    expect(escapeHtml(escapeHtml(address))).toBe(address)
    expect(JSON.stringify(address)).toBe(`"${address}"`)
    expect(new URL(address).href).toBe(address)
    expect(encodeURI(decodeURI(address))).toBe(address)
    expect(decodeURIComponent(encodeURIComponent(address))).toBe(address)
  }
})

describe.skipIf(isQuick || !hasBrowser)(
  'an address comes back from a page as it was written, in a browser',
  () => {
    const browser = started(openBrowser)

    test('from HTML, XML and CSS, with and without quotes', async () => {
      const { page, complaints, close } = await openPage(browser)
      const found = await page.evaluate((given) => {
        const parser = new DOMParser()
        function inHtml(address: string): (string | null | undefined)[] {
          const html = `<img src=${address}><img src="${address}"><img src='${address}'><p>${address}</p><img srcset="${address}, ${address} 2x">`
          const document = parser.parseFromString(html, 'text/html')
          const images = [...document.querySelectorAll('img[src]')].map((image) => image.getAttribute('src'))
          const candidates = document.querySelector('img[srcset]')?.getAttribute('srcset')?.split(/,? /)
          return [...images, document.querySelector('p')?.textContent, ...(candidates ?? []).slice(0, 2)]
        }
        function inXml(address: string): (string | null | undefined)[] {
          const xml = `<urlset><url loc="${address}"><loc>${address}</loc></url><url><loc><![CDATA[${address}]]></loc></url></urlset>`
          const document = parser.parseFromString(xml, 'application/xml')
          const texts = [...document.querySelectorAll('loc')].map((loc) => loc.textContent)
          return [...texts, document.querySelector('url')?.getAttribute('loc')]
        }
        function inCss(address: string): (string | undefined)[] {
          const sheet = new CSSStyleSheet()
          sheet.replaceSync(
            `a{background-image:url(${address})}b{background-image:url("${address}")}i{background-image:url('${address}')}`,
          )
          return [...sheet.cssRules].map(
            (rule) => /^url\("(.*)"\)$/.exec((rule as CSSStyleRule).style.backgroundImage)?.[1],
          )
        }
        return given.map((address) => [...inHtml(address), ...inXml(address), ...inCss(address)])
      }, addresses)
      for (const [index, address] of addresses.entries())
        expect(found[index]).toEqual(new Array<string>(12).fill(address))
      expect(complaints).toEqual([])
      await close()
    })

    test('and is drawn there, as an image and as a background', async () => {
      const server = await startServer()
      try {
        const { id: key, secret } = await (await fetch(`${server.url}/api/key`)).json()
        const parameters = { title: `"Ada" & <b>'Bob'</b> 100% नमस्ते 🚀` }
        const address = await embedUrl(`${server.url}/api/og.png`, parameters, { key, secret })
        const { page, close } = await openPage(browser)
        const loaded = page.waitForResponse(address)
        await page.setContent(`<p style="background: url(${address})">Background</p>`)
        expect((await loaded).status()).toBe(200)
        await page.setContent(`<img src=${address}>`)
        const widthPx = await page.locator('img').evaluate(async (image: HTMLImageElement) => {
          await image.decode()
          return image.naturalWidth
        })
        expect(widthPx).toBe(1200)
        await close()
      } finally {
        await server.stop()
      }
    })
  },
)

describe('an address comes back unchanged', () => {
  test('from CSV without quotes', () => {
    const text = addresses.map((address, index) => `${index},${address},end\r\n`).join('')
    const rows: readonly string[][] = parse(text)
    expect(rows.map((row) => row[1])).toEqual(addresses)
  })

  test('from JSON, XML, CSV, HTML and a mail as Python reads them', async () => {
    const project = createUserProject({
      'read.py': pythonReaders,
      'addresses.json': JSON.stringify(addresses),
    })
    try {
      const found = JSON.parse(await project.run(['python3', 'read.py']))
      for (const [format, texts] of Object.entries(found))
        expect([format, texts]).toEqual([format, addresses])
      expect(Object.keys(found)).toEqual(['json', 'xml', 'csv', 'html', 'mail'])
    } finally {
      rmSync(project.folder, { recursive: true })
    }
  })

  test.skipIf(Bun.which('hugo') === null)('from Markdown as Goldmark reads it', async () => {
    const markdown = addresses.map(
      (address) => `![card](${address}) [link](${address} "title") <${address}> and ${address} bare\n`,
    )
    const site = createUserProject({
      'hugo.toml': 'disableKinds = ["taxonomy", "term", "home", "section"]\n',
      'layouts/_default/single.html': '{{ .Content }}',
      'content/page.md': `{}\n\n${markdown.join('\n')}`,
    })
    try {
      await site.run(['hugo'])
      const found: string[] = []
      const parser = new Parser({
        onopentag: (_, { src, href }) => void found.push(...[src ?? href ?? []].flat()),
      })
      parser.end(readFileSync(join(site.folder, 'public/page/index.html'), 'utf8'))
      expect(found).toEqual(addresses.flatMap((address) => [address, address, address, address]))
    } finally {
      rmSync(site.folder, { recursive: true })
    }
  })
})

const pythonReaders = `
import csv, io, json
from email import message_from_bytes, policy
from email.message import EmailMessage
from html.parser import HTMLParser
from xml.etree import ElementTree

with open("addresses.json") as file:
    addresses = json.load(file)

def source_in(html):
    found = []
    class Reader(HTMLParser):
        def handle_starttag(self, tag, attributes):
            found.append(dict(attributes)["src"])
    Reader().feed(html)
    return found[0]

def mailed(html):
    message = EmailMessage(policy=policy.SMTP)
    message.set_content(html, subtype="html", cte="quoted-printable")
    return message_from_bytes(message.as_bytes(), policy=policy.SMTP).get_content()

print(json.dumps({
    "json": json.loads("[" + ",".join(f'"{address}"' for address in addresses) + "]"),
    "xml": [ElementTree.fromstring(f"<loc>{address}</loc>").text for address in addresses],
    "csv": [row[1] for row in csv.reader(io.StringIO("".join(f"1,{address},2\\n" for address in addresses)))],
    "html": [source_in(f"<img src={address} alt=a>") for address in addresses],
    "mail": [source_in(mailed(f"<img src={address} alt=é>")) for address in addresses],
}))
`
