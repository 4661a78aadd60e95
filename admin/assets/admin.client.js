// Progressive: every page works without this file.

document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]')
  if (!button) return
  const source = document.getElementById(button.dataset.copy)
  await navigator.clipboard.writeText(source.textContent)
  button.querySelector('span').textContent = 'Copied'
  setTimeout(() => (button.querySelector('span').textContent = 'Copy'), 1500)
})

// A password can be made readable while it is typed.
for (const button of document.querySelectorAll('button[data-show]')) {
  const field = document.getElementById(button.dataset.show)
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password'
    button.textContent = isShown ? 'Hide' : 'Show'
    button.setAttribute('aria-pressed', isShown)
  }
  button.setAttribute('aria-label', 'Show what is typed')
  button.hidden = false
  button.addEventListener('click', () => show(field.type === 'password'))
  // Browsers offer to keep a field only as a password.
  field.form.addEventListener('submit', () => show(false))
}

// Irreversible actions ask for confirmation.
document.addEventListener('submit', (event) => {
  const question = event.target.dataset?.confirm
  if (question && !confirm(question)) event.preventDefault()
})

// The traffic page: the server sends each finished request as a row of the table.
const feed = document.querySelector('[data-feed]')
if (feed) {
  const rows = feed.querySelector('tbody')
  const state = document.querySelector('.live')
  const say = (words, tone) => {
    state.textContent = words
    state.className = `live pill ${tone}`
  }
  const source = new EventSource(feed.dataset.feed)
  source.onopen = () => say('Live', 'ok')
  source.onerror = () => say(source.readyState === EventSource.CLOSED ? 'Stopped' : 'Connecting', 'warn')
  source.onmessage = (event) => {
    const template = document.createElement('template')
    template.innerHTML = event.data
    rows.querySelector('.none')?.remove()
    rows.prepend(template.content)
    while (rows.children.length > feed.dataset.rowsMax) rows.lastElementChild.remove()
  }
}
