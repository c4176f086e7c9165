/** Code with a button that copies it. */
import { element, UNTRANSLATED } from './dom.js'

/** For screen readers, which read a button's label and not its changed text. */
const spoken = element('p', { class: 'quiet', role: 'status' })
document.body.append(spoken)

/** @param {HTMLElement} block */
export function offerCopy(block) {
  // Outside a secure context there is no clipboard.
  if (!navigator.clipboard) return
  const button = element('button', { type: 'button', class: 'copy' }, 'Copy')
  const label = block.querySelector('pre')?.getAttribute('aria-label') ?? 'code'
  button.setAttribute('aria-label', `Copy: ${label}`)
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(block.querySelector('code')?.textContent ?? '')
      button.textContent = 'Copied'
    } catch {
      button.textContent = 'Not allowed'
    }
    spoken.replaceChildren(button.textContent)
    setTimeout(() => {
      button.replaceChildren('Copy')
      spoken.replaceChildren()
    }, 2000)
  })
  block.append(button)
}

/**
 * Code that opens below its title.
 *
 * @param {string} title
 * @param {string} code
 */
export function folded(title, code) {
  const pre = element(
    'pre',
    { tabindex: '0', role: 'region', 'aria-label': title },
    element('code', UNTRANSLATED, code),
  )
  const block = element('div', { class: 'code' }, pre)
  offerCopy(block)
  return element('details', { class: 'raw' }, element('summary', {}, title), block)
}

/**
 * The paid request as a command; within an hour it gives the same answer and charges nothing.
 *
 * @param {import('./payment.js').Request} request
 */
export const curlOf = ({ endpoint, body, header = '' }) =>
  `curl -X POST ${location.origin}${endpoint} \\
  -H 'Content-Type: application/json' \\
  -H 'PAYMENT-SIGNATURE: ${header}' \\
  -d '${body.replaceAll("'", "'\\''")}'`
