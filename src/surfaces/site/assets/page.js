/** The script of every page: shows whether the service is up, adds copy buttons, makes tabs. */
import { offerCopy } from './copy.js'
import { byId, element } from './dom.js'
import { startTabs } from './tabs.js'

/** @type {Readonly<Record<string, string>>} */
const STATES = {
  ok: 'Up: paid calls work',
  degraded: 'Up, with a warning',
  paused: 'Paid calls are paused',
}

/** @param {HTMLElement} place */
async function showStatus(place) {
  let state = 'silent'
  try {
    const response = await fetch('/status.json', { cache: 'no-store' })
    state = (await response.json()).payments.state
  } catch {
    // Shown as "does not answer".
  }
  const dot = element('span', { class: `dot ${state}`, 'aria-hidden': 'true' })
  const more = element('a', { href: '/status' }, STATES[state] ?? 'The service does not answer')
  place.replaceChildren(dot, more)
}

void showStatus(byId('site-status', HTMLElement))
for (const block of document.querySelectorAll('[data-copy]')) {
  if (block instanceof HTMLElement) offerCopy(block)
}
for (const group of document.querySelectorAll('[data-tabs]')) {
  if (group instanceof HTMLElement) startTabs(group)
}

/** "/" and Ctrl-K lead to the search, from a page without one to the page that has it. */
addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select')
  const isSlash = event.key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey
  if (!isSlash && !(event.key === 'k' && (event.ctrlKey || event.metaKey))) return
  event.preventDefault()
  const input = document.getElementById('search-text')
  if (input === null) location.assign('/docs#docs-search')
  else input.focus()
})
