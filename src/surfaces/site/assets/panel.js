/** The "Try it" panel: recorded answers for examples, and paid checks of a visitor's own values. */

import { curlOf, folded } from './copy.js'
import { byId } from './dom.js'
import { startExamples } from './examples.js'
import { say, show } from './notice.js'
import { inDollars } from './payment.js'
import { startPurchases } from './purchase.js'
import { renderReceipt, renderVerdict } from './verdict.js'

/** @import { PaidRequest } from './payment.js' */
/** @import { SoldAnswer } from './purchase.js' */

function startPanel() {
  const form = byId('panel', HTMLFormElement)
  const value = byId('value', HTMLInputElement)
  const place = byId('try', HTMLElement)
  const purchases = startPurchases(place, (isBusy) => {
    form.inert = isBusy
  })

  const chosen = () => /** @type {HTMLInputElement} */ (form.querySelector('input[name=type]:checked'))
  const examples = startExamples(place.dataset.examples ?? '', () => chosen().value, value)

  function reset() {
    purchases.abandon()
    say('')
    show()
  }

  function askForTerms() {
    reset()
    const { endpoint = '' } = chosen().dataset
    void purchases.begin({
      request: { endpoint, body: JSON.stringify({ value: value.value }) },
      most: BigInt(place.dataset.amount ?? 0),
      showSold,
    })
  }

  /** A link from the page of a check names its type after the hash; a value is never part of an address. */
  function chooseByHash() {
    const type = location.hash.replace(/^#try-/, '')
    const input = form.querySelector(`input[value="${CSS.escape(type)}"]`)
    if (!(input instanceof HTMLInputElement)) return
    input.checked = true
    examples.changeType()
    place.scrollIntoView()
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    examples.leave()
    askForTerms()
  })
  form.addEventListener('input', ({ target }) => {
    reset()
    if (target === value) examples.leave()
    else examples.changeType()
  })
  window.addEventListener('hashchange', chooseByHash)
  window.addEventListener('beforeunload', (event) => {
    if (purchases.isUnanswered()) event.preventDefault()
  })
  form.inert = false
  chooseByHash()
  void examples.load()
}

/**
 * @param {SoldAnswer} answer
 * @param {PaidRequest} paid
 * @param {string} amount atomic units
 */
function showSold(answer, paid, amount) {
  const card = renderVerdict(answer.result)
  const proof = renderReceipt(answer, amount)
  proof.append(folded('The same call with curl (free for an hour)', curlOf(paid)))
  show(card, proof)
  say(`${answer.result.valid ? 'Valid' : 'Not valid'}. Paid ${inDollars(amount)}.`, true)
  card.querySelector('h3')?.focus()
}

startPanel()
