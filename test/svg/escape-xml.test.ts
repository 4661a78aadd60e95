import { expect, test } from 'bun:test'
import { escapeXml } from '../../src/svg/svg-values.ts'

test('markup in a text is escaped, in elements and in attributes of either quote', () => {
  expect(escapeXml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  )
})

test('characters that XML cannot carry are left out, all others stay', () => {
  expect(escapeXml('a\u0000b\u001bc\ufffed\uffffe')).toBe('abcde')
  expect(escapeXml('x\ud800y')).toBe('x\ufffdy')
  expect(escapeXml('tab\tline\n')).toBe('tab\tline\n')
  expect(escapeXml('é 家 🎉 \u0085')).toBe('é 家 🎉 \u0085')
})
