// Progressive: every page works without this file.

document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[data-copy]')
  if (!button) return
  const source = document.getElementById(button.dataset.copy)
  await navigator.clipboard.writeText(source.textContent)
  button.querySelector('span').textContent = 'Copied'
  setTimeout(() => (button.querySelector('span').textContent = 'Copy'), 1500)
})

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

// The form of a brand: its cards are drawn again while it is filled in. A file is sent once; after that the form names the
// copy that the server holds.
const brandForm = document.querySelector('form[data-preview]')
if (brandForm) {
  const sent = new Map()
  let timer
  let request

  // For screen readers; a failure is for everybody.
  const say = (words, isFailure = false) => {
    const state = document.getElementById('preview-state')
    state.textContent = words
    state.classList.toggle('vh', !isFailure)
  }

  const kept = (name) => brandForm.querySelector(`[name="kept-${name}"]`)?.value

  const draw = async () => {
    request?.abort()
    request = new AbortController()
    const body = new FormData(brandForm)
    body.set('preview', '1')
    const files = new Map()
    for (const input of brandForm.querySelectorAll('input[type="file"]')) {
      const [file] = input.files
      if (!file || !input.checkValidity()) body.delete(input.name)
      else if (sent.get(input.name) === file && kept(input.name)) body.delete(input.name)
      else files.set(input.name, file)
    }
    const panel = document.querySelector('.preview')
    panel.setAttribute('aria-busy', 'true')
    try {
      const answer = await fetch(brandForm.action, { method: 'POST', body, signal: request.signal })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const drawn = page.getElementById('preview')
      if (!drawn) throw new Error('This is not the page of a brand.')
      document.getElementById('preview').replaceWith(drawn)
      for (const [name, file] of files) sent.set(name, file)
      for (const field of page.querySelectorAll('[data-field]')) showState(field)
      const count = brandForm.querySelectorAll('.problem').length
      const mistakes = count === 1 ? 'One field has a mistake.' : `${count} fields have mistakes.`
      document.getElementById('preview-state').textContent =
        count === 0 ? 'The preview is up to date.' : mistakes
    } catch (error) {
      // A newer preview is on its way.
      if (error.name === 'AbortError') return
      say('The preview could not be drawn. What you typed is still here.', true)
    }
    panel.removeAttribute('aria-busy')
  }

  // A field's mistake, and the file chosen in it; what was typed stays.
  const showState = (field) => {
    const here = brandForm.querySelector(`[data-field="${field.dataset.field}"]`)
    if (!here) return
    const input = here.querySelector('[name]')
    const invalid = field.querySelector('[aria-invalid]')
    const isLeft = input.value === '' && !input.defaultValue && input.type !== 'file'
    here.querySelector('.problem')?.remove()
    input.removeAttribute('aria-invalid')
    const problem = field.querySelector('.problem')
    if (problem && !isLeft) {
      here.append(problem)
      if (invalid) input.setAttribute('aria-invalid', 'true')
    }
    const file = field.querySelector('.file')
    const before = here.querySelector('.file')
    const tick = file?.querySelector('[name="remove"]')
    if (tick) tick.checked = before?.querySelector('[name="remove"]')?.checked ?? false
    before?.remove()
    if (file) input.after(file)
  }

  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(draw, 350)
  }

  // The button leads to the preview, which is there already.
  brandForm.addEventListener('submit', (event) => {
    if (event.submitter?.name !== 'preview') return
    event.preventDefault()
    clearTimeout(timer)
    draw()
    document.querySelector('.preview').scrollIntoView({ block: 'nearest' })
  })

  brandForm.addEventListener('input', (event) => {
    const { target } = event
    const chooser = target.dataset.color
    if (chooser) brandForm.elements[chooser].value = target.value.slice(1)
    const swatch = brandForm.querySelector(`[data-color="${target.name}"]`)
    const digits = /^#?([\da-f]{6})$/i.exec(target.value ?? '')
    if (swatch && digits) swatch.value = `#${digits[1]}`
    if (target.files) {
      const limit = Number(target.dataset.bytesMax)
      const isLarge = target.files[0]?.size > limit
      const words = limit < 2 ** 20 ? `${limit / 1024} KiB` : `${limit / 2 ** 20} MiB`
      target.setCustomValidity(isLarge ? `This file is larger than ${words}.` : '')
      target.reportValidity()
    }
    later()
  })
  document.querySelector('[name="sample"]').addEventListener('input', later)

  // A slug is proposed until the operator types one.
  const { slug, name } = brandForm.elements
  if (slug.type !== 'hidden' && slug.value === '') {
    let isOwn = false
    slug.addEventListener('input', () => (isOwn = slug.value !== ''))
    name.addEventListener('input', () => {
      const plain = name.value
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
      if (!isOwn) slug.value = plain.slice(0, 40).replace(/^-+|-+$/g, '')
    })
  }
}
