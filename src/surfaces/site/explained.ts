/** Four IBANs with their verdicts, for the top of the front page: one is valid, each of the others breaks another rule. */

import { IBAN } from 'format-checker-checks/internal/iban/profile'
import type { Details, Verdict } from 'format-checker-checks/verdict'
import type { Skill } from '../../catalog/skill.ts'
import { type Html, html } from '../../values/html.ts'
import { tabs } from './code-block.ts'
import type { PageContext } from './page-context.ts'

const KINDS: readonly (readonly [string, (verdict: Verdict) => boolean])[] = [
  ['Valid', ({ valid }) => valid],
  ['Letter for digit', ({ details }) => details.hint === 'confusable_character'],
  ['Wrong check digits', ({ details }) => details.code === 'checksum'],
  ['Too short', ({ details }) => missingAt(details) > 0],
]

/** Runs the check on each value, so the page shows what a call would answer. */
export function explained({ skills }: PageContext): Html {
  const iban = skills.get(IBAN.type)
  return iban === undefined ? html`` : drawn(iban)
}

const drawn = (iban: Skill): Html => html`<div class="explained">
<p class="hint">Recorded answers of the IBAN check, free</p>
${tabs('Recorded answers', recordedAnswers(iban))}
</div>`

export function recordedAnswers({ examples, check }: Skill): readonly { title: string; body: Html }[] {
  const answers = examples.map(({ input: { value } }) => ({ value, verdict: check(value) }))
  return KINDS.flatMap(([title, shows]) => {
    const found = answers.find(({ verdict }) => shows(verdict))
    return found === undefined ? [] : [{ title, body: explanation(found.value, found.verdict) }]
  })
}

const explanation = (value: string, { valid, reason, details }: Verdict): Html =>
  html`<p class="parts" translate="no">${valid ? inParts(value, details) : ringed(value, details)}</p>
<p>${valid ? html`<b class="valid">Valid.</b>` : html`<b class="invalid">Not valid.</b>`} ${reason}</p>
<p class="code-line">code <code>${details.code}</code>${details.hint !== undefined && html` <span>hint <code>${details.hint}</code></span>`}</p>`

function inParts(value: string, { segments }: Details): Html {
  const found = segments as readonly { readonly name: string; readonly start: number; readonly end: number }[]
  const compact = value.replaceAll(/[^A-Z0-9]/gi, '')
  const parts = [{ name: 'country', start: 0, end: 2 }, { name: 'check digits', start: 2, end: 4 }, ...found]
  return html`${parts.map(({ name, start, end }) => html`<span>${compact.slice(start, end)}<small>${name}</small></span>`)}`
}

/** The value as it was sent, with a ring around what is wrong; a question mark stands for each missing character. */
function ringed(value: string, details: Details): Html {
  const missing = missingAt(details)
  if (missing > 0) return html`${value}<mark>${'?'.repeat(missing)}</mark>`
  const [start, end] =
    details.position === undefined ? checkDigits(value) : [details.position, details.position + 1]
  return html`${value.slice(0, start)}<mark>${value.slice(start, end)}</mark>${value.slice(end)}`
}

function checkDigits(value: string): readonly [number, number] {
  const [head = '', digits = ''] =
    /^((?:[^A-Z0-9]*[A-Z0-9]){2}[^A-Z0-9]*)?([A-Z0-9]{2})/i.exec(value)?.slice(1) ?? []
  return [head.length, head.length + digits.length]
}

/** How many characters the value lacks; 0 or less if it lacks none, or the check names several lengths. */
const missingAt = ({ length }: Details): number =>
  typeof length?.expected === 'number' ? length.expected - length.actual : 0
