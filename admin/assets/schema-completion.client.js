const item = Symbol('an item of a list')

/** Completes names and values of a YAML file by its JSON Schema. @param load the schema, once somebody types */
export function completeBySchema(load) {
  return async (context) => {
    const place = placeAt(context.state.doc, context.pos)
    const { path, isValue, typed } = place
    if (typed === undefined || (!context.explicit && !isValue && typed === '')) return null
    const root = await load()
    const there = path.reduce(
      (schemas, name) => schemas.flatMap((schema) => below(root, schema, name)),
      meanings(root, root),
    )
    const options = isValue ? there.flatMap(values) : there.flatMap((schema) => names(root, schema, place))
    return { from: context.pos - typed.length, options, validFor: /^[\w#-]*$/ }
  }
}

/** A schema and all that it is composed of. */
function meanings(root, schema) {
  if (typeof schema !== 'object') return []
  const { $ref: reference, anyOf = [], oneOf = [], allOf = [] } = schema
  if (reference !== undefined) {
    const steps = reference.split('/').slice(1)
    return meanings(
      root,
      steps.reduce((part, step) => part[step], root),
    )
  }
  return [schema, ...[...anyOf, ...oneOf, ...allOf].flatMap((part) => meanings(root, part))]
}

function below(
  root,
  { properties = {}, patternProperties = {}, additionalProperties, items, prefixItems },
  name,
) {
  if (name === item) return [items, prefixItems].flat().flatMap((each) => meanings(root, each ?? false))
  const [, matching] =
    Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern).test(name)) ?? []
  return meanings(root, properties[name] ?? matching ?? additionalProperties ?? false)
}

function values({ const: only, enum: several = [], type, description }) {
  const all = [only ?? several, type === 'boolean' ? [true, false] : []].flat()
  return all.map((value) => ({ label: String(value), type: 'constant', info: description }))
}

function names(root, { properties = {} }, { indent, isQuoted }) {
  return Object.entries(properties).map(([label, property]) => {
    const all = meanings(root, property)
    const types = new Set(all.flatMap(({ type, const: only }) => type ?? (only === undefined ? [] : 'value')))
    const opens = types.size === 1 && types.has('object') && indent !== undefined
    return {
      label,
      type: 'property',
      detail: [...types].join(' or '),
      info: all.find(({ description }) => description)?.description,
      apply: isQuoted ? label : opens ? `${label}:\n${' '.repeat(indent + 2)}` : `${label}: `,
    }
  })
}

/**
 * Returns the names from the root to the map, or to the value, that is written at a position, and what is typed of it.
 * `typed` is undefined within a comment; `indent` is that of the map's names where each has its own line.
 */
function placeAt(doc, pos) {
  const line = doc.lineAt(pos)
  const head = line.text.slice(0, pos - line.from)
  if (/(?:^|\s)#/.test(head)) return {}
  const lead = /^\s*(?:- +)*/.exec(head)[0]
  const path = []
  let left = lead.length
  let keyAt = -1
  // A map or list that encloses a name begins left of it. A list may begin where its name does.
  function climb(tokens) {
    for (const { name, column } of tokens.toReversed()) {
      if (column >= left && !(name !== item && column === keyAt)) continue
      path.unshift(name)
      left = column
      keyAt = name === item ? column : -1
    }
  }
  climb(dashesOf(lead))
  for (let number = line.number - 1; number > 0 && (left > 0 || keyAt >= 0); number--) {
    const { text } = doc.line(number)
    const dashes = /^\s*(?:- +)*/.exec(text)[0]
    const key = /^["']?([\w-]+)["']?\s*:/.exec(text.slice(dashes.length))
    climb([...dashesOf(dashes), ...(key ? [{ name: key[1], column: dashes.length }] : [])])
  }
  return { ...placeInLine(head.slice(lead.length), path), ...(!/[{[]/.test(head) && { indent: lead.length }) }
}

function dashesOf(lead) {
  return [...lead.matchAll(/-/g)].map(({ index: column }) => ({ name: item, column }))
}

/** The place at the end of a line, which may open maps and lists in itself. */
function placeInLine(text, path) {
  const open = []
  let name
  let typed = ''
  for (const [index, char] of [...text].entries()) {
    if ('{['.includes(char)) {
      path.push(name ?? item)
      open.push(char)
    } else if ('}]'.includes(char)) {
      path.pop()
      open.pop()
    }
    const isColon = char === ':' && text[index + 1] === ' '
    if (isColon) name = typed.trim().replaceAll(/["']/g, '')
    else if ('{}[],'.includes(char)) name = undefined
    typed = isColon || '{}[],'.includes(char) ? '' : typed + char
  }
  const isValue = name !== undefined || open.at(-1) === '['
  const [quote, word] = /^\s*(["']?)(.*)$/.exec(typed).slice(1)
  return { path: isValue ? [...path, name ?? item] : path, isValue, typed: word, isQuoted: quote !== '' }
}
