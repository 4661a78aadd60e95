// More for the playground, loaded when it comes into view: the texts of a card are edited on it, and the last cards are kept.
const play = document.querySelector('form.play')
const last = document.querySelector('[data-last]')
const stored = `mintmark cards ${location.pathname}`
const [keptMax, pictureWidthPx] = [5, 120]
let isChanged = location.search !== ''

play.style.position = 'relative'
play.addEventListener('input', () => {
  isChanged = true
})
play.addEventListener('submit', keep)
addEventListener('pagehide', keep)
play.addEventListener('click', (event) => {
  const { target } = event
  if (target.closest('[data-copy]')) keep()
  if (target.matches('img.is-card')) edit(target, event)
  if (target.closest('[data-shuffle]')) {
    keep()
    isChanged = true
  }
  if (target.matches('[data-link]') && !event.ctrlKey && !event.metaKey) {
    event.preventDefault()
    keep()
    navigator.clipboard.writeText(target.href).then(() => {
      target.textContent = 'Copied'
    })
  }
})
draw()

/** A field for each text, over the card where it was pressed. What is typed goes into the form. */
function edit(picture, { clientY }) {
  close()
  const [frame, card] = [play.getBoundingClientRect(), picture.getBoundingClientRect()]
  const box = document.createElement('div')
  box.className = 'on-card box grid'
  for (const name of ['title', 'subtitle']) {
    const field = play.querySelector(`input[name=${name}]`)
    if (!field) continue
    const input = document.createElement('input')
    input.value = field.value
    input.dir = 'auto'
    input.ariaLabel = `${name} on the card`
    input.setAttribute('form', 'none')
    input.addEventListener('input', () => {
      field.value = input.value
      field.dispatchEvent(new Event('input', { bubbles: true }))
    })
    box.append(input)
  }
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return
    event.preventDefault()
    close()
  })
  // Removing it is a loss of focus, too.
  box.addEventListener('focusout', () =>
    setTimeout(() => box.contains(document.activeElement) || box.remove()),
  )
  play.append(box)
  const lowest = card.bottom - box.offsetHeight - 8
  Object.assign(box.style, {
    position: 'absolute',
    zIndex: 2,
    left: `${card.left - frame.left + 8}px`,
    width: `${card.width - 16}px`,
    top: `${Math.max(card.top, Math.min(clientY - 20, lowest)) - frame.top}px`,
  })
  const isTitle = clientY < card.top + card.height * 0.6
  box.querySelector(isTitle ? 'input' : 'input:last-child')?.focus()
}

function close() {
  play.querySelector('.on-card')?.remove()
}

function read() {
  try {
    return JSON.parse(localStorage.getItem(stored)) ?? []
  } catch {
    return []
  }
}

function keep() {
  const [picture, link] = ['img.is-card', '[data-link]'].map((one) => play.querySelector(one))
  if (!isChanged || !picture?.naturalWidth || !link) return
  const small = document.createElement('canvas')
  small.width = pictureWidthPx
  small.height = Math.round((pictureWidthPx * picture.naturalHeight) / picture.naturalWidth)
  small.getContext('2d').drawImage(picture, 0, 0, small.width, small.height)
  const card = {
    address: link.getAttribute('href'),
    title: picture.alt,
    source: small.toDataURL('image/webp'),
  }
  const others = read().filter(({ address }) => address !== card.address)
  try {
    localStorage.setItem(stored, JSON.stringify([card, ...others].slice(0, keptMax)))
  } catch {}
  draw()
}

function draw() {
  const cards = read()
  last.hidden = cards.length === 0
  last.replaceChildren(
    ...cards.map(({ address, title, source }) => {
      const [link, picture] = ['a', 'img'].map((name) => document.createElement(name))
      Object.assign(picture, { src: source, alt: title, title, width: pictureWidthPx })
      link.href = address
      link.append(picture)
      return link
    }),
  )
  last.className = 'onward row'
}
