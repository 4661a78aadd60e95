// The search of the documentation. What it looks through is loaded once, when the field is first used.
const field = document.querySelector('[data-search]')
const found = field?.closest('search').querySelector('.found')
const [shownMax, sameHeadingMax, aroundMax] = [10, 2, 50]
let entries

async function load() {
  entries ??= fetch(field.dataset.search).then((answer) => answer.json())
  return (await entries).map(([address, group, page, heading, words]) => ({
    address,
    group,
    page,
    heading,
    words,
    inHeading: `${page} ${heading}`.toLowerCase(),
    inWords: words.toLowerCase(),
  }))
}

/** Every word has to occur; one in a heading is worth more, and more still where it begins the heading. */
function rank({ heading, inHeading, inWords }, words) {
  let rank = 0
  for (const word of words) {
    if (heading.toLowerCase().startsWith(word)) rank += 5
    else if (inHeading.includes(word)) rank += 3
    else if (inWords.includes(word)) rank += 1
    else return 0
  }
  return rank
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  const all = await load()
  const sameHeadings = new Map()
  const hits = all
    .map((entry) => ({ entry, worth: words.length === 0 ? 0 : rank(entry, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .filter(({ entry: { heading } }) => {
      sameHeadings.set(heading, (sameHeadings.get(heading) ?? 0) + 1)
      return sameHeadings.get(heading) <= sameHeadingMax
    })
    .slice(0, shownMax)
    .map(({ entry }) => entry)
  const groups = [...new Set(hits.map(({ group }) => group))]
  const lines = groups.flatMap((group) => [
    element('b', group),
    ...hits.filter((hit) => hit.group === group).map((hit) => link(hit, words)),
  ])
  found.hidden = words.length === 0
  found.replaceChildren(...(hits.length === 0 ? ['Nothing found.'] : lines))
}

function element(name, ...children) {
  const node = document.createElement(name)
  node.append(...children)
  return node
}

function link({ address, page, heading, words: text, inWords }, words) {
  const line = element('a', ...marked(heading, words), hint(page))
  line.href = address
  const place = inWords.search(new RegExp(words.map(escaped).join('|')))
  if (place >= 0) line.append(hint(...marked(around(text, place), words)))
  return line
}

function hint(...children) {
  const line = element('div', ...children)
  line.className = 'hint'
  return line
}

/** The text around a place, from a word to a word. */
function around(text, place) {
  const from = place < aroundMax ? 0 : text.indexOf(' ', place - aroundMax) + 1
  const end = text.length - place < aroundMax ? text.length : text.lastIndexOf(' ', place + aroundMax)
  return `${from > 0 ? '…' : ''}${text.slice(from, Math.max(end, place))}${end < text.length ? '…' : ''}`
}

/** The text with the words marked. */
function marked(text, words) {
  const parts = text.split(new RegExp(`(${words.map(escaped).join('|')})`, 'i'))
  return parts.map((part, index) => (index % 2 === 1 ? element('mark', part) : part))
}

function escaped(word) {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Moves the focus among the field and the links below it. */
function move(step) {
  const stops = [field, ...found.querySelectorAll('a')]
  const at = stops.indexOf(document.activeElement)
  stops[(at + step + stops.length) % stops.length].focus()
}

function clear() {
  field.value = ''
  found.hidden = true
  field.focus()
}

field?.addEventListener('focus', load)
field?.addEventListener('input', search)
field?.closest('search').addEventListener('keydown', (event) => {
  if (found.hidden) return
  if (event.key === 'Escape') clear()
  else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1)
  else if (event.key === 'Enter' && document.activeElement === field) found.querySelector('a')?.click()
  else return
  event.preventDefault()
})
document.addEventListener('keydown', (event) => {
  const isTyping = document.activeElement?.matches('input, textarea, select')
  const isAsked = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
  if (!field || !isAsked || event.altKey) return
  event.preventDefault()
  field.focus()
})
