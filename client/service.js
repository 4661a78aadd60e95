/**
 * Returns where cards come from and who signs them: what is given, else what the build's environment says. Throws a
 * TypeError that names what is missing, and a member that is none of these.
 */
export function readService(given = {}, environment = process.env) {
  const { url, key, secret, exp, form, check, ...others } = given
  for (const name of Object.keys(others))
    throw new TypeError(`mintmark: ${name} is not one of url, key, secret, exp, form, check`)
  const service = { url, key, secret }
  for (const name of Object.keys(service)) {
    const variable = `MINTMARK_${name.toUpperCase()}`
    service[name] ||= environment[variable]
    if (!service[name]) throw new TypeError(`mintmark: no ${name}; set ${variable}`)
  }
  return {
    url: service.url,
    pair: { key: service.key, secret: service.secret },
    options: { exp, form, check },
  }
}
