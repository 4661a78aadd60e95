import { Buffer } from 'node:buffer'

/** Masks of masks: native code is at work on it for longer than anybody waits, and takes gigabytes. */
export const endlessPicture = {
  href: `data:image/svg+xml;base64,${Buffer.from(nestedMasks(24)).toString('base64')}`,
  widthPx: 200,
  heightPx: 14,
  zoom: 4,
}

function nestedMasks(count: number): string {
  function link(i: number) {
    return `<g mask="url(#m${i})"><path d="M0 0h99v99H0z"/></g>`
  }
  const masks = Array.from(
    { length: count },
    (_, i) => `<mask id="m${i}">${link(i + 1)}${link(i + 1)}</mask>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg">${masks.join('')}<mask id="m${count}"><path d="M0 0h99v99H0z"/></mask>${link(0)}</svg>`
}
