// The search of the documentation. What it looks through is loaded once, when the field is first used.
const field = document.querySelector('[data-search]')
const found = field?.closest('nav').querySelector('.found')
const shownMax = 8
let entries

async function load() {
  entries ??= fetch(field.dataset.search).then((answer) => answer.json())
  return (await entries).map(([address, page, heading, words]) => ({
    address,
    page,
    heading,
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
  const hits = all
    .map((entry) => ({ entry, worth: words.length === 0 ? 0 : rank(entry, words) }))
    .filter(({ worth }) => worth > 0)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, shownMax)
  found.hidden = words.length === 0
  found.replaceChildren(...(hits.length === 0 ? ['Nothing found.'] : hits.map(link)))
}

function link({ entry: { address, page, heading } }) {
  const line = document.createElement('a')
  line.href = address
  const where = document.createElement('span')
  where.textContent = page
  line.append(heading, where)
  return line
}

field?.addEventListener('focus', load)
field?.addEventListener('input', search)
field?.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  field.value = ''
  found.hidden = true
})
