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
      document.querySelector('.feed-views').replaceWith(page.querySelector('.feed-views'))
      showPart(brandForm, page, 'contrasts')
      for (const [name, file] of files) sent.set(name, file)
      for (const field of page.querySelectorAll('[data-field]')) showState(field)
      showPoint()
      const count = brandForm.querySelectorAll('.problem').length
      const mistakes = count === 1 ? 'One field has a mistake.' : `${count} fields have mistakes.`
      say(count === 0 ? 'The preview is up to date.' : mistakes)
    } catch (error) {
      // A newer preview is on its way.
      if (error.name === 'AbortError') return
      say('The preview could not be drawn. What you typed is still here.', true)
    }
    panel.removeAttribute('aria-busy')
  }

  // A part of the form that the server draws. One that has not changed stays, and with it the focus in it.
  const showPart = (here, there, name) => {
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
      ? before.querySelector('img, svg') || !after.querySelector('img, svg')
      : before.outerHTML === after.outerHTML
  }

  // The mistake of a field, and what the server draws beside it; what was typed stays.
  const showState = (there) => {
    const here = brandForm.querySelector(`[data-field="${there.dataset.field}"]`)
    if (!here) return
    showPart(here, there, 'file')
    showPart(here, there, 'swatches')
    const input = here.querySelector('[name]')
    const isLeft = input.value === '' && !input.defaultValue && input.type !== 'file'
    if (input.validity.customError) return
    showProblem(here, isLeft ? undefined : there.querySelector('.problem')?.textContent)
  }

  const showProblem = (here, words) => {
    const input = here.querySelector('[name]')
    const hint = here.querySelector('.hint')
    here.querySelector('.problem')?.remove()
    input.removeAttribute('aria-invalid')
    if (words) {
      const problem = document.createElement('p')
      problem.className = 'problem'
      problem.id = `${here.dataset.field}-problem`
      problem.textContent = words
      if (hint?.parentElement === here) hint.before(problem)
      else here.append(problem)
      input.setAttribute('aria-invalid', 'true')
    }
    const described = [hint?.id, words && `${here.dataset.field}-problem`].filter(Boolean).join(' ')
    if (described) input.setAttribute('aria-describedby', described)
    else input.removeAttribute('aria-describedby')
  }

  const later = () => {
    clearTimeout(timer)
    timer = setTimeout(draw, 350)
  }

  const setText = (name, value) => {
    const input = brandForm.elements[name]
    input.value = value
    input.dispatchEvent(new Event('input', { bubbles: true }))
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
    if (target.files) checkSize(target)
    if (target.name === 'remove' && target.checked) forget(target.value)
    if (target.name === 'focus') showPoint()
    later()
  })
  document.querySelector('[name="sample"]').addEventListener('input', later)

  const checkSize = (input) => {
    const isLarge = input.files[0]?.size > Number(input.dataset.bytesMax)
    const words = isLarge ? input.dataset.tooLarge : ''
    input.setCustomValidity(words)
    showProblem(input.closest('[data-field]'), words)
  }

  // A file that was chosen and is to be removed is not sent with the form.
  const forget = (name) => {
    const input = brandForm.elements[name]
    input.value = ''
    sent.delete(name)
    checkSize(input)
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
  const pointNow = () => {
    const numbers = /^\s*([\d.]+)\s*,\s*([\d.]+)\s*$/.exec(brandForm.elements.focus.value)
    return numbers ? [bounded(Number(numbers[1])), bounded(Number(numbers[2]))] : [50, 50]
  }

  const bounded = (percent) => Math.min(100, Math.max(0, percent))

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
      if (place && event.buttons === 1) choosePoint(place, event)
    })

  const choosePoint = (place, event) => {
    const { left, top, width, height } = place.getBoundingClientRect()
    const shares = [(event.clientX - left) / width, (event.clientY - top) / height]
    setText('focus', shares.map((share) => bounded(Math.round(share * 100))).join(','))
  }

  showPoint()

  // A slug is proposed until somebody writes one.
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
