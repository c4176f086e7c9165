/** Whether a value is the one of the type that the text names, and not a date, a telephone number or an id beside it. */
import type { Skill } from '../../../../skills/skill.ts'
import type { Candidate, TextWord } from './candidates.ts'
import { isOtherForm, looksLike } from './value-shape.ts'
import { wordSet } from './word-set.ts'

/** Words between the name of a type and a value behind it: "the NIP number is 12345". */
const BEHIND_NAME =
  wordSet(`number numbers no nr id code num reg address nummer numer registration identification account european ue eu
  is are was be equals reads on with for following this that here check validation verification test skill ist lautet mit für to jest brzmi wynosi dla validate`)

/** Words between a value and the name of its type: "is 12345 a valid NIP?". */
const BEFORE_NAME =
  wordSet(`is are was be as a an the valid invalid correct incorrect proper real good right wrong legit legal true actual existing
  accepted pass passes look looks like for formed well syntactically formally complete eu european polish german
  ist als ein eine einen die der das gültige gültiger gültiges gueltige korrekte korrekter richtige richtiger polnische
  to jest jako poprawny poprawna prawidłowy prawidlowy prawidłowa ważny dobry dobra polski numer numerem`)

/** Words right in front of a value that may stand far from the name: "the IBAN of our customer is DE89". */
const COPULAS = wordSet('is are was ist lautet to jest brzmi wynosi')

/** "type: eu-vat, value: RO12": labels of the value itself. */
const VALUE_WORDS = wordSet('value values input wert wartość')

/** Words that name another number in front of it. */
const OTHER_NUMBERS =
  wordSet(`tel telefon telefonu telefonnummer rufnummer handy mobil telephone phone mobile cell fax call dial
  zadzwoń dzwoń komórka komórkowy krs passport paszport paszportu reisepass dowód dowodu bic swift`)

/** Words that have a number of their own, unless the type is named before them: "the NIP of our customer: 5260250274". */
const OWNERS =
  wordSet(`order invoice ticket case request customer client supplier user account contract ref reference serial
  faktura faktury zamówienie zamówienia zgłoszenie klient umowa rechnung rechnungsnummer rechnungsnr bestellung
  bestellnummer kunde kundennummer kundennr auftrag auftragsnummer vertrag vertragsnummer konto kontonummer`)
/** "Faktura VAT" is an invoice. */
const INVOICES = wordSet('faktura faktury fakturę fakturze')

/** True when nothing but such words links a value to the name of its type, or its outline is the type's own. */
export function isLinked(words: readonly TextWord[], run: Candidate, value: string, skill: Skill): boolean {
  if (run.quote !== undefined) return true
  if (isOtherForm(value)) return false
  const at = firstBefore(words, run)
  const before = words[at]
  const isInvoice = before?.names !== undefined && INVOICES.has(words[at - 1]?.compact ?? '')
  const isNamed = before !== undefined && (before.names !== undefined || VALUE_WORDS.has(before.compact))
  if ((isNamed && !isInvoice) || isBesideName(words, run)) return true
  if (OTHER_NUMBERS.has(before?.compact ?? '')) return false
  const hasOutline = looksLike(value, skill)
  const isAnnounced = endsLabel(words[run.from - 1]) && clauseBefore(words, run).some(isName)
  if (OWNERS.has(before?.compact ?? '')) return isAnnounced || (hasOutline && words.slice(0, at).some(isName))
  return hasOutline || isAnnounced || isName(firstBehind(words, run))
}

const isName = (word: TextWord | undefined) => word?.names !== undefined

/** "Valid PESEL? 4405140135", "12345 (NIP)". */
function isBesideName(words: readonly TextWord[], { from, to }: Candidate): boolean {
  const before = words[from - 1]
  if (isName(before) && before?.after === '?') return true
  return isName(words[to + 1]) && /^ ?[-–—(]$/.test(words[to]?.after ?? '')
}

/** True in front of a value that a colon or a copula announces. */
const endsLabel = (word: TextWord | undefined) =>
  word !== undefined && (/[:=]$/.test(word.after) || (word.after === '' && COPULAS.has(word.compact)))

function clauseBefore(words: readonly TextWord[], { from }: Candidate): readonly TextWord[] {
  const before = words.slice(0, from)
  return before.slice(before.findLastIndex(({ after }) => ENDS_CLAUSE.test(after)) + 1)
}

/** The place of the word in front of a value and of what links the two; -1 where a clause begins between them. */
function firstBefore(words: readonly TextWord[], { from }: Candidate): number {
  for (let index = from - 1; index >= 0; index--) {
    const word = words[index]
    if (word === undefined) return -1
    const isLink = word.names === undefined && BEHIND_NAME.has(word.compact)
    // "tel. 600100200", "no. 12345": the full stop of an abbreviation.
    const isAbbreviation = word.after === '.' && (isLink || OTHER_NUMBERS.has(word.compact))
    if (ENDS_CLAUSE.test(word.after) && !isAbbreviation) return -1
    if (!isLink) return index
  }
  return -1
}

/** The word behind a value and what links the two, in the same clause. */
function firstBehind(words: readonly TextWord[], { to }: Candidate): TextWord | undefined {
  for (let index = to; index < words.length && words[index]?.after === ''; index++) {
    const next = words[index + 1]
    if (next?.names !== undefined || !BEFORE_NAME.has(next?.compact ?? '')) return next
  }
  return undefined
}

const ENDS_CLAUSE = /[,;.!?…]/
