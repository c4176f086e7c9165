/** What a program would see: JSON and commands, folded away. */
import { offerCopy } from './copy.js'
import { element, UNTRANSLATED } from './dom.js'

/**
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

/** @param {unknown} value */
export const pretty = (value) => JSON.stringify(value, null, 2)

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
