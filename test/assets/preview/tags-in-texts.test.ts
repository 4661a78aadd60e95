import { expect, test } from 'bun:test'
import { withoutTags } from '../../../src/assets/preview/page-text.ts'

test.each([
  'The <Palace: Tale of Jang> festival and Vec<String> and a<b>c',
  'A Map<Key, Value> holds an Option<Time> and a List<Object>',
  'if a <b and c> d then i<p',
  'Foo<A> extends Bar<T>',
  'Write to Ann <ann@example.com> or see <https://example.com/>',
  'Use std::vector<int> and <stdio.h>',
  'x &lt;y&gt; z',
  'Promise<void>, Array<number[]>',
])('angle brackets of a text stay: %s', (text) => {
  expect(withoutTags(text)).toBe(text)
})

test.each([
  ['<p>One</p>', 'One'],
  ['<p>One<br/>two<br>three', 'One two three'],
  ['A <b>bold</b> and <i class="x">slanted</i> word', 'A bold and slanted word'],
  ['<STRONG>Loud</STRONG> and <P>old', 'Loud and old'],
  ['<a href="/x?a=1&b=2" target=_blank>a link</a>', 'a link'],
  ['<a href="https://example.com/x">a link that is cut', 'a link that is cut'],
  ['&lt;p&gt;Escaped&lt;/p&gt; &lt;img src="a.png" alt="x" /&gt; twice', 'Escaped twice'],
  ['<h2>Head</h2><ul><li>one</li><li>two</li></ul>', 'Head one two'],
  ['<span style="color: red">red</span><script>x</script>', 'red x'],
])('tags that a program left in a text are taken out: %s', (text, expected) => {
  expect(withoutTags(text).replace(/\s+/g, ' ').trim()).toBe(expected)
})
