/** What a form answers: a line of progress, an outcome below it, and payments in doubt. */
import { byId, element } from './dom.js'

const progress = byId('progress', HTMLElement)
const outcome = byId('outcome', HTMLElement)
const doubtful = byId('doubtful', HTMLElement)

/**
 * Shows a line of progress; `quietly` to screen readers only.
 *
 * @param {string} words
 * @param {boolean} [quietly]
 */
export function say(words, quietly = false) {
  progress.classList.toggle('quiet', quietly)
  progress.replaceChildren(words)
}

/**
 * Replaces the outcome. If the focus was inside it, the focus moves to the line of progress, never to the page.
 *
 * @param {...HTMLElement} parts
 */
export function show(...parts) {
  const hadFocus = outcome.contains(document.activeElement)
  outcome.replaceChildren(...parts)
  if (hadFocus) progress.focus()
}

/**
 * Moves the focus to the heading.
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

/** @param {import('./payment.js').Problem} problem */
export function tellProblem({ title, detail, code }) {
  const link = element('a', { href: `/errors#${code}` }, element('code', {}, code))
  tell('bad', title, detail, ...(code === '' ? [] : [element('p', { class: 'code-line' }, link)]))
}

/**
 * A link to the state of a payment whose outcome is unknown.
 *
 * @param {import('./payment.js').PaidRequest} paid
 */
export const paymentLink = ({ payer, nonce }) =>
  element('a', { href: `/payments/${payer}/${nonce}` }, `Payment ${nonce.slice(0, 10)}…`)

/**
 * Keeps that link on the page until it is closed.
 *
 * @param {import('./payment.js').PaidRequest} paid
 */
export function keepDoubtful(paid) {
  if (doubtful.firstChild === null) {
    doubtful.append(
      element(
        'section',
        { class: 'doubtful', 'aria-label': 'Payments in doubt' },
        'Not answered yet. Look here before you pay for the same value again:',
        element('ul'),
      ),
    )
  }
  doubtful.querySelector('ul')?.append(element('li', {}, paymentLink(paid)))
}

/**
 * @param {string} words
 * @param {'primary' | 'secondary'} look
 * @param {() => void} act
 */
export function button(words, look, act) {
  const made = element('button', { type: 'button', class: look }, words)
  // A disabled button would lose the focus, so `aria-disabled` alone stops it.
  made.addEventListener('click', () => {
    if (made.getAttribute('aria-disabled') !== 'true') act()
  })
  return made
}
