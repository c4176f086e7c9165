/** Tabs by the ARIA pattern; choosing a language in one group chooses it in every group that has it. */

/** @param {HTMLElement} group */
export function startTabs(group) {
  const panels = /** @type {HTMLElement[]} */ ([...group.querySelectorAll('.tab')])
  const buttons = /** @type {HTMLElement[]} */ ([...group.querySelectorAll('[role=tab]')])
  const list = group.querySelector('[role=tablist]')
  for (const button of buttons) {
    button.addEventListener('click', () =>
      dispatchEvent(new CustomEvent('choose-tab', { detail: button.textContent })),
    )
  }
  list?.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[/** @type {KeyboardEvent} */ (event).key]
    const at = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement))
    if (step === undefined || at < 0) return
    const next = buttons.at((at + step) % buttons.length)
    next?.click()
    next?.focus()
  })
  addEventListener('choose-tab', (event) => {
    const { detail } = /** @type {CustomEvent} */ (event)
    const chosen = buttons.findIndex(({ textContent }) => textContent === detail)
    if (chosen < 0) return
    for (const [at, panel] of panels.entries()) {
      panel.hidden = at !== chosen
      buttons[at]?.setAttribute('aria-selected', String(at === chosen))
      buttons[at]?.setAttribute('tabindex', at === chosen ? '0' : '-1')
    }
  })
}
