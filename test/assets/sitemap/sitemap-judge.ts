import { fileURLToPath } from 'node:url'

export const hasXmllint = Bun.which('xmllint') !== null
const schema = fileURLToPath(new URL('../../fixtures/bundle/sitemap.xsd', import.meta.url))

export async function judge(xml: string): Promise<string> {
  const xmllint = Bun.spawn(['xmllint', '--noout', '--nonet', '--schema', schema, '-'], {
    stdin: Buffer.from(xml),
    stderr: 'pipe',
  })
  const complaints = await new Response(xmllint.stderr).text()
  return (await xmllint.exited) === 0 ? '' : complaints
}
