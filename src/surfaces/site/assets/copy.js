/** A button that copies code. */
import { element } from './dom.js'

/** For screen readers, which read the label of a button and not what it shows for a moment. */
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
