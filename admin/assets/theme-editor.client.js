// The editor of a brand's theme file. `bun run build:editor` writes theme-editor.generated.client.js, which its page loads.
import { acceptCompletion, autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { completeBySchema } from './schema-completion.client.js'

const form = document.querySelector('form[data-theme]')
const field = form.elements.text
const state = document.getElementById('sheet-state')
const sheet = document.getElementById('sheet')
let schema

// CodeMirror's style sheet is an object of the shadow root: the content policy of the page allows no style element.
const host = document.createElement('div')
host.className = 'code'
const root = host.attachShadow({ mode: 'open' })

const look = EditorView.theme({
  '&': {
    height: 'max(340px, 100dvh - 300px)',
    marginTop: '5px',
    border: '1px solid var(--line-strong)',
    borderRadius: 'var(--r)',
    overflow: 'hidden',
    fontSize: '13px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '2px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { padding: '10px 0', caretColor: 'var(--ink)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': { background: 'none', border: '0', color: 'var(--ink-3)' },
  '.cm-activeLine': { background: 'light-dark(rgb(20 20 30 / 0.04), rgb(255 255 255 / 0.05))' },
  '&:not(.cm-focused) .cm-activeLine': { background: 'none' },
  '.cm-gutter-lint': { width: '16px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker': { width: '8px', height: '8px', margin: '6px 4px', borderRadius: '50%' },
  '.cm-lint-marker-error': { content: '""', background: 'var(--bad)' },
  '.cm-lint-marker-warning': { content: '""', background: 'var(--warn)' },
  '.cm-lintRange': { backgroundImage: 'none', textDecoration: 'underline wavy 1px', paddingBottom: '0' },
  '.cm-lintRange-error': { textDecorationColor: 'var(--bad)' },
  '.cm-lintRange-warning': { textDecorationColor: 'var(--warn)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: 'var(--r)',
    background: 'var(--raised)',
    color: 'var(--ink)',
    boxShadow: 'var(--shadow-lg)',
    overflow: 'hidden',
  },
  '.cm-diagnostic': { padding: '6px 10px', borderLeft: '3px solid var(--bad)', font: '13px/1.5 var(--sans)' },
  '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { font: '13px/1.5 var(--mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 10px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--ink)',
  },
  '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)', fontWeight: '600' },
  '.cm-completionDetail': { color: 'var(--ink-2)', fontStyle: 'normal' },
  '.cm-tooltip.cm-completionInfo': { padding: '8px 10px', font: '13px/1.5 var(--sans)', maxWidth: '260px' },
})

const colors = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--ink)' },
  { tag: [tags.lineComment, tags.meta], color: 'var(--ink-3)' },
  { tag: [tags.separator, tags.punctuation, tags.brace, tags.squareBracket], color: 'var(--ink-2)' },
])

function loadSchema() {
  schema ??= fetch(form.dataset.schema).then((answer) => answer.json())
  return schema
}

// Chrome would give what is typed over a selection the style of what was there, in an attribute that the policy refuses.
function replaceSelection(event, { state, composing, dispatch }) {
  if (event.inputType !== 'insertText' || composing || state.selection.main.empty) return false
  dispatch(state.replaceSelection(event.data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

const view = new EditorView({
  root,
  parent: root,
  doc: field.value,
  extensions: [
    lintGutter(),
    lineNumbers(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    highlightActiveLine(),
    yaml(),
    syntaxHighlighting(colors),
    autocompletion({ override: [completeBySchema(loadSchema)], icons: false }),
    keymap.of([
      { key: 'Mod-s', run: () => !form.requestSubmit() },
      { key: 'Tab', run: acceptCompletion },
      indentWithTab,
      ...completionKeymap,
      ...lintKeymap,
      ...historyKeymap,
      ...defaultKeymap,
    ]),
    EditorView.contentAttributes.of({ 'aria-label': 'Theme file', tabindex: '0' }),
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
    look,
  ],
})
host.addEventListener('focusin', loadSchema, { once: true })
field.before(host)
field.hidden = true
document
  .getElementById('text-hint')
  .append(' Ctrl+Space completes, F8 leads to the next mistake; Escape, then Tab, leaves the editor.')
field.labels[0].addEventListener('click', () => view.focus())

// The cards on the screen are drawn, the smallest first. Only the last text counts, and of those with mistakes none.
const drawnAtOnce = 4
const visible = new Set()
const drawnBy = new WeakMap()
let hasLooked = false
let good
let turn = new AbortController()
let running = 0
let failures = 0

function say(words) {
  state.textContent = words
}

async function send(url, fields, { signal }) {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return fetch(url, { method: 'POST', body, signal })
}

async function draw(image) {
  drawnBy.set(image, good)
  const answer = await send(`${form.action}/card${image.dataset.card}`, { text: good }, turn)
  if (!answer.ok) throw new Error(`The card was answered with ${answer.status}.`)
  const reader = new FileReader()
  reader.onload = () => {
    if (drawnBy.get(image) === good) image.src = reader.result
  }
  reader.readAsDataURL(await answer.blob())
}

function drawMore() {
  if (good === undefined || !hasLooked) return
  const waiting = [...visible].filter((image) => drawnBy.get(image) !== good)
  waiting.sort((one, other) => one.width * one.height - other.width * other.height)
  for (const image of waiting.slice(0, drawnAtOnce - running)) {
    running += 1
    draw(image)
      .catch(({ name }) => (failures += name === 'AbortError' ? 0 : 1))
      .finally(() => {
        running -= 1
        drawMore()
      })
  }
  if (running === 0) say(failures > 0 ? 'Some cards could not be drawn' : 'Up to date')
}

const observer = new IntersectionObserver((entries) => {
  for (const { target, isIntersecting } of entries) visible[isIntersecting ? 'add' : 'delete'](target)
  hasLooked = true
  drawMore()
})
for (const image of sheet.querySelectorAll('img')) {
  image.dataset.card = new URL(image.src).search
  observer.observe(image)
}

// Mistakes: the server finds them, the list below the editor has them all, and each is marked at its line.
function diagnosticOf({ dataset, lastElementChild }) {
  const { doc } = view.state
  const line = doc.line(Math.min(Number(dataset.line), doc.lines))
  const from = Math.min(line.from + Number(dataset.column) - 1, line.to)
  const [word] = /^[^\s:,\]}]*/.exec(doc.sliceString(from, line.to))
  return {
    from,
    to: from + word.length,
    severity: dataset.severity,
    message: lastElementChild.textContent.trim(),
  }
}

function follow(list, text) {
  const found = [...list.querySelectorAll('li')].map(diagnosticOf).sort((one, other) => one.from - other.from)
  view.dispatch(setDiagnostics(view.state, found))
  const { length } = found.filter(({ severity }) => severity === 'error')
  sheet.classList.toggle('stale', length > 0)
  if (length > 0)
    return say(`${length === 1 ? 'One mistake' : `${length} mistakes`}: these are the last good cards`)
  turn.abort()
  turn = new AbortController()
  failures = 0
  good = text
  drawMore()
}

let checking = new AbortController()
let timer

async function check() {
  checking = new AbortController()
  const text = field.value
  try {
    const answer = await send(form.action, { text, preview: '1' }, checking)
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const list = page.getElementById('mistakes')
    document.getElementById('mistakes').replaceWith(list)
    follow(list, text)
  } catch (error) {
    if (error.name !== 'AbortError') say('The text could not be checked')
  }
}

function onChange() {
  field.value = view.state.doc.toString()
  checking.abort()
  clearTimeout(timer)
  timer = setTimeout(check, 200)
}

const shown = document.getElementById('mistakes')
if (form.dataset.theme === 'draft' || shown.firstElementChild) follow(shown, field.value)

form.addEventListener('click', (event) => {
  const place = event.target.closest('#mistakes a')?.parentElement
  if (!place) return
  event.preventDefault()
  view.dispatch({ selection: { anchor: diagnosticOf(place).from }, scrollIntoView: true })
  view.focus()
})

// Typed text is not left behind without a question.
form.addEventListener('submit', () => (field.defaultValue = field.value))
addEventListener('beforeunload', (event) => {
  if (field.value !== field.defaultValue) event.preventDefault()
})
