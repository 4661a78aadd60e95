// The form of a brand: its cards follow it while it is filled in. A file is sent once; after that the form names the copy
// that the server holds.
const brandForm = document.querySelector('form[data-preview]')
if (brandForm) {
  const { elements } = brandForm
  const sent = new Map()
  let timer
  let request

  // For screen readers; a failure is for everybody.
  const say = (text, isFailure = false) => {
    const state = document.getElementById('preview-state')
    state.textContent = text
    state.classList.toggle('vh', !isFailure)
  }

  const preview = async () => {
    request?.abort()
    request = new AbortController()
    const body = new FormData(brandForm)
    body.set('preview', '1')
    const files = new Map()
    for (const input of brandForm.querySelectorAll('input[type="file"]')) {
      const [file] = input.files
      const isSent = sent.get(input.name) === file && elements[`kept-${input.name}`]?.value
      if (!file || isSent || !input.checkValidity()) body.delete(input.name)
      else files.set(input.name, file)
    }
    try {
      const answer = await fetch(brandForm.action, { method: 'POST', body, signal: request.signal })
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      followCards(page, '#preview')
      followCards(page, '.feed-views')
      followPart(brandForm, page, 'contrasts')
      for (const [name, file] of files) sent.set(name, file)
      for (const field of page.querySelectorAll('[data-field]')) followField(field)
      offerFocus(page)
      showPoint()
      const count = brandForm.querySelectorAll('.problem').length
      const mistakes = count === 1 ? 'One field has a mistake.' : `${count} fields have mistakes.`
      say(count === 0 ? 'The preview is up to date.' : mistakes)
    } catch (error) {
      // A newer preview is on its way.
      if (error.name === 'AbortError') return
      say('The preview could not be drawn. What you typed is still here.', true)
    }
  }

  // The focus that was found in a new picture goes where another one was found for the picture before.
  let found = ''
  const offerFocus = (page) => {
    if (elements.focus.value !== '' || document.activeElement === elements.focus) return
    found = page.querySelector('[name="focus"]').value
    elements.focus.value = found
  }

  // A card that is there stays until the next one has arrived.
  const followCards = (page, selector) => {
    const [here, there] = [document, page].map((each) => each.querySelector(selector))
    if (here.textContent !== there.textContent) return here.replaceWith(there)
    const images = there.querySelectorAll('img')
    for (const [index, image] of here.querySelectorAll('img').entries())
      image.src = images[index].getAttribute('src')
  }

  // A part of the form that the server draws. One that has not changed stays, and with it the focus in it.
  const followPart = (here, there, name) => {
    const [before, after] = [here, there].map((place) => place.querySelector(`[data-part="${name}"]`))
    if (before && after && isSame(before, after)) return
    if (before && after) before.replaceWith(after)
    else if (after) here.querySelector('.drop, .color').after(after)
    else before?.remove()
  }

  // A file that is marked to be removed has no thumbnail on the page that the server sends.
  const isSame = (before, after) => {
    const isSameFile = before.dataset.file && before.dataset.file === after.dataset.file
    return isSameFile
      ? before.querySelector('img') || !after.querySelector('img')
      : before.outerHTML === after.outerHTML
  }

  // The mistake of a field, and what the server draws beside it; what was typed stays.
  const followField = (there) => {
    const here = brandForm.querySelector(`[data-field="${there.dataset.field}"]`)
    if (!here) return
    followPart(here, there, 'file')
    followPart(here, there, 'swatches')
    const input = here.querySelector('[name]')
    const isLeft = input.value === '' && !input.defaultValue && input.type !== 'file'
    if (input.validity.customError) return
    showProblem(here, isLeft ? undefined : there.querySelector('.problem')?.textContent)
  }

  const showProblem = (here, text) => {
    const input = here.querySelector('[name]')
    const hint = here.querySelector(':scope > .hint')
    here.querySelector('.problem')?.remove()
    const problem = document.createElement('p')
    problem.className = 'problem'
    problem.id = `${here.dataset.field}-problem`
    problem.textContent = text
    if (text && hint) hint.before(problem)
    else if (text) here.append(problem)
    const described = [hint?.id, text && problem.id].filter(Boolean).join(' ')
    for (const [name, value] of [
      ['aria-invalid', text && 'true'],
      ['aria-describedby', described],
    ])
      if (value) input.setAttribute(name, value)
      else input.removeAttribute(name)
  }

  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(preview, 350)
  }

  const setText = (name, value) => {
    elements[name].value = value
    elements[name].dispatchEvent(new Event('input', { bubbles: true }))
  }

  // A colour of the logo goes to its field.
  brandForm.addEventListener('click', (event) => {
    const swatch = event.target.closest('button[name="use"]')
    if (!swatch) return
    event.preventDefault()
    const [field, color] = swatch.value.split(' ')
    setText(field, color.slice(1))
  })

  // The button leads to the preview, which is there already.
  brandForm.addEventListener('submit', (event) => {
    if (event.submitter?.name !== 'preview') return
    event.preventDefault()
    clearTimeout(timer)
    preview()
    document.querySelector('.preview').scrollIntoView({ block: 'nearest' })
  })

  brandForm.addEventListener('input', ({ target }) => {
    const chooser = target.dataset.color
    if (chooser) elements[chooser].value = target.value.slice(1)
    const swatch = brandForm.querySelector(`[data-color="${target.name}"]`)
    const digits = /^#?([\da-f]{6})$/i.exec(target.value ?? '')
    if (swatch && digits) swatch.value = `#${digits[1]}`
    if (target.files) checkSize(target)
    if (target.name === 'picture' && elements.focus.value === found) elements.focus.value = ''
    if (target.name === 'remove' && target.checked) forget(target.value)
    if (target.name === 'focus') showPoint()
    later()
  })
  document.querySelector('[name="sample"]').addEventListener('input', later)

  const checkSize = (input) => {
    const isLarge = input.files[0]?.size > Number(input.dataset.bytesMax)
    input.setCustomValidity(isLarge ? input.dataset.tooLarge : '')
    showProblem(input.closest('[data-field]'), input.validationMessage)
  }

  // A file that was chosen and is to be removed is not sent with the form.
  const forget = (name) => {
    elements[name].value = ''
    sent.delete(name)
    checkSize(elements[name])
  }

  // Files may be dropped on their fields. Beside them nothing happens, where the browser would leave the page.
  const dropOf = (event) => event.target.closest?.('.drop')
  for (const type of ['dragover', 'drop'])
    document.addEventListener(type, (event) => {
      if (!dropOf(event)) event.preventDefault()
    })
  for (const type of ['dragenter', 'dragleave', 'drop'])
    brandForm.addEventListener(type, (event) => dropOf(event)?.classList.toggle('over', type === 'dragenter'))

  // The focal point: a click on the picture or the arrow keys write its numbers into their field.
  const bounded = (percent) => Math.min(100, Math.max(0, percent))

  const pointNow = () => {
    const numbers = /^\s*([\d.]+)\s*,\s*([\d.]+)\s*$/.exec(elements.focus.value)
    return numbers ? [bounded(Number(numbers[1])), bounded(Number(numbers[2]))] : [50, 50]
  }

  const showPoint = () => {
    const point = brandForm.querySelector('[data-focal] .point')
    if (!point) return
    const [x, y] = pointNow()
    point.hidden = false
    point.style.left = `${x}%`
    point.style.top = `${y}%`
    point.setAttribute('aria-valuenow', x)
    point.setAttribute('aria-valuetext', `${x} % from the left, ${y} % from the top`)
  }

  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }

  brandForm.addEventListener('keydown', (event) => {
    const step = steps[event.key]
    if (!step || !event.target.matches('[data-focal] .point')) return
    event.preventDefault()
    const far = event.shiftKey ? 10 : 1
    setText(
      'focus',
      pointNow()
        .map((percent, axis) => bounded(percent + step[axis] * far))
        .join(','),
    )
  })

  // After a click the arrow keys go on from there.
  brandForm.addEventListener('click', (event) => {
    event.target.closest('[data-focal]')?.querySelector('.point').focus({ preventScroll: true })
  })
  for (const type of ['pointerdown', 'pointermove'])
    brandForm.addEventListener(type, (event) => {
      const place = event.target.closest('[data-focal]')
      if (!place || event.buttons !== 1) return
      const { left, top, width, height } = place.getBoundingClientRect()
      const shares = [(event.clientX - left) / width, (event.clientY - top) / height]
      setText('focus', shares.map((share) => bounded(Math.round(share * 100))).join(','))
    })

  showPoint()

  // A slug is proposed until somebody writes one.
  const { slug, name } = elements
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
