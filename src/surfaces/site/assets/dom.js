/** Makes and finds elements without markup in strings, and reads what the page says of its network. */

/**
 * Makes an element; children that are text become text nodes.
 *
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.append(...children)
  return made
}

/**
 * Throws if the page has no such element.
 *
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} kind
 * @returns {T}
 */
export function byId(id, kind) {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`no ${id}`)
  return found
}

/**
 * Keeps a text from the browser's translator, which would send it to a service of its own. Every text with a value of a
 * person needs it.
 *
 * @type {Readonly<Record<string, string>>}
 */
export const UNTRANSLATED = { translate: 'no' }

/** @param {readonly (readonly [string, Node | string])[]} rows */
export const definitions = (rows) =>
  element(
    'dl',
    { class: 'facts' },
    ...rows.map(([name, held]) => element('div', {}, element('dt', {}, name), element('dd', {}, held))),
  )

/**
 * The network that the service of this page sells on; nothing is signed for another.
 *
 * @returns {{ id: string, chainId: number, name: string, node: string, explorer: string | null, isRealMoney: boolean }}
 */
export const chain = () =>
  JSON.parse(/** @type {HTMLElement} */ (document.querySelector('[data-chain]')).dataset.chain ?? '')
