/**
 * Where cards come from and who signs them: what is given, else what the build's environment says. Throws a TypeError that
 * names what is missing.
 */
export function readService(given = {}, environment = process.env) {
  const service = { exp: given.exp }
  for (const name of ['url', 'key', 'secret']) {
    const variable = `MINTMARK_${name.toUpperCase()}`
    service[name] = given[name] || environment[variable]
    if (!service[name]) throw new TypeError(`mintmark: no ${name}; set ${variable}`)
  }
  return service
}
