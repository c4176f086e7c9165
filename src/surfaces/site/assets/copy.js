/** A button that copies code. */
import { element } from './dom.js'

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
    setTimeout(() => button.replaceChildren('Copy'), 2000)
  })
  block.append(button)
}
