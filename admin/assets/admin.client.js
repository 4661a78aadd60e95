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

// A page that loads itself again, unless somebody reads or fills in a part of it.
const seconds = Number(document.querySelector('[data-refresh-seconds]')?.dataset.refreshSeconds)
if (seconds > 0)
  setInterval(async () => {
    if (document.hidden || document.querySelector('main :is(:focus, details[open])')) return
    const answer = await fetch(location.href).catch(() => undefined)
    if (!answer?.ok || answer.redirected) return
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    document.querySelector('main').replaceWith(page.querySelector('main'))
  }, seconds * 1000)
