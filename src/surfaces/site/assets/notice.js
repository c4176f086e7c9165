/** What the panel says: a line of progress, or a result in its place. */
import { byId, element } from './dom.js'

const progress = byId('progress', HTMLElement)
const outcome = byId('outcome', HTMLElement)

/**
 * Says how far things are; quietly when what is shown says it already.
 *
 * @param {string} words
 * @param {boolean} [quietly]
 */
export function say(words, quietly = false) {
  progress.classList.toggle('quiet', quietly)
  progress.replaceChildren(words)
}

/** @param {...HTMLElement} parts */
export const show = (...parts) => outcome.replaceChildren(...parts)

/**
 * Shows a heading with a sentence, and moves the reader there.
 *
 * @param {'bad' | 'doubt'} kind
 * @param {string} title
 * @param {string} text
 * @param {...HTMLElement} further
 */
export function tell(kind, title, text, ...further) {
  const heading = element('h3', { tabindex: '-1' }, title)
  say('')
  show(element('section', { class: `notice ${kind}` }, heading, element('p', {}, text), ...further))
  heading.focus()
}

/**
 * An error of the service in its own words, with a link to its code.
 *
 * @param {import('./payment.js').Problem} problem
 */
export function tellProblem({ title, detail, code }) {
  const link = element('a', { href: `/errors#${code}` }, element('code', {}, code))
  tell('bad', title, detail, ...(code === '' ? [] : [element('p', { class: 'code-line' }, link)]))
}

/**
 * @param {string} words
 * @param {'primary' | 'secondary'} look
 * @param {() => void} act
 */
export function button(words, look, act) {
  const made = element('button', { type: 'button', class: look }, words)
  made.addEventListener('click', act)
  return made
}
