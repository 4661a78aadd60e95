// The contents of a long page mark the section that is read.
const entries = [...document.querySelectorAll('.contents a[href^="#"]')]
function mark() {
  const atEnd = scrollY + innerHeight > document.body.scrollHeight - 2
  const line = innerHeight * (atEnd ? 1 : 0.3)
  const current =
    entries.find(({ hash }) => atEnd && hash === location.hash) ??
    entries.findLast(
      ({ hash }) => document.getElementById(decodeURI(hash.slice(1))).getBoundingClientRect().top < line,
    )
  for (const entry of entries) entry.ariaCurrent = entry === (current ?? entries[0]) || null
}
window.onscroll = mark
window.onhashchange = mark
mark()

// A field above a list of terms hides those that do not have what is typed.
document.addEventListener('input', ({ target }) => {
  if (!('filter' in target.dataset)) return
  const terms = [...target.parentNode.querySelectorAll('.terms > div')]
  for (const term of terms)
    term.hidden = !term.textContent.toLowerCase().includes(target.value.trim().toLowerCase())
  target.ariaInvalid = String(terms.every(({ hidden }) => hidden))
})
