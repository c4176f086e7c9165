/** "Do not check …", "the IBAN is not …": an order that forbids itself, in nine languages. */
import type { Candidate, TextWord } from './candidates.ts'
import { wordSet } from './word-set.ts'

const NEGATIONS =
  wordSet(`not never dont didnt wont isnt wasnt arent shouldnt mustnt neednt except instead skip ignore
  stop cancel forget ignorieren nie anuluj nicht kein keine keinen storniere ne pas no non não nao niet geen
  nekontroluj nekontrolujte neověřuj neověřujte`)
/** "No" is also short for "number", so it forbids nothing beside a value. */
const NUMBER = 'no'
/** "Valid or not?" */
const OR = wordSet('or oder czy lub albo ou o whether')
const ORDERS =
  wordSet(`check checks checking checked validate validating validated verify verifying verified test testing use using
  run running need
  sprawdzaj sprawdzać sprawdzac sprawdzić sprawdzic weryfikuj weryfikować weryfikowac waliduj walidować
  prüfe pruefe prüf prüfen pruefen überprüfe überprüfen ueberpruefen checke checken validiere validieren verifiziere verifizieren
  vérifie vérifier vérifiez verifie verifier verifiez valide valider validez contrôle contrôler
  compruebe compruebes comprobar verifique verifiques verificar valides validar
  verificare verifica controllare controlla controleer controleren kontroluj ověřuj`)
/** "I do not know if …", "not sure about …": a doubt asks for the check. */
const DOUBTS = wordSet('if whether ob czy si sure certain know trust wiem wiemy pewien pewna sicher')
/** Steps from the negation to what it forbids: "do not want you to check". */
const FARTHEST = 4

/** True when a negation stands before a verb of ordering or before the value, or behind a German verb. */
export function isRefused(text: readonly TextWord[], { from }: Candidate): boolean {
  return text.some(({ compact }, index) => {
    if (!NEGATIONS.has(compact) || OR.has(text[index - 1]?.compact ?? '')) return false
    return forbids(text, index, from) || isLastOfOrder(text, index)
  })
}

function forbids(text: readonly TextWord[], index: number, value: number): boolean {
  for (let ahead = index; ahead <= index + FARTHEST; ahead++) {
    if (ahead > index && ORDERS.has(text[ahead]?.compact ?? '')) return true
    if (DOUBTS.has(text[ahead]?.compact ?? '')) return false
    const after = text[ahead]?.after
    // "Prüfe die IBAN nicht: …"
    if (ahead + 1 === value && (after === '' || after === ':')) return text[index]?.compact !== NUMBER
    if (after !== '') return false
  }
  return false
}

/** "Prüfe die IBAN … nicht.", in one clause. */
function isLastOfOrder(text: readonly TextWord[], index: number): boolean {
  const isLast = index === text.length - 1 || /[.!?]/.test(text[index]?.after ?? '')
  if (text[index]?.compact === 'ignorieren') return isLast
  if (text[index]?.compact !== 'nicht' || !isLast) return false
  const clause = text.slice(0, index)
  return clause.slice(clause.findLastIndex(({ after }) => after !== '') + 1).some(isGermanOrder)
}

const isGermanOrder = ({ compact }: TextWord) => /^(über|ueber)?pr(ü|ue)fe?$/.test(compact)
