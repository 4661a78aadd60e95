// The contents of a long page mark the section that is read.
const entries = [...document.querySelectorAll('.contents a[href^="#"]')]
function mark() {
  const atEnd = scrollY + innerHeight > document.body.scrollHeight - 2
  const line = innerHeight * (atEnd ? 1 : 0.3)
  const current =
    entries.find(({ hash }) => atEnd && hash === location.hash) ??
    entries.findLast(({ hash }) => document.querySelector(hash).getBoundingClientRect().top < line)
  for (const entry of entries) entry.ariaCurrent = entry === (current ?? entries[0]) || null
}
window.onscroll = mark
window.onhashchange = mark
mark()
