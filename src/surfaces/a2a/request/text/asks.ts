/** How surely a text orders the check that was understood: a sale needs both, a quote may guess. */
import type { Skill } from '../../../../skills/skill.ts'
import type { Run, TextWord } from './find-values.ts'
import { BLANK_LINE } from './words.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** Words between the name of a type and its value, that say nothing else. */
const LINKS = words(
  `number numbers no nr num id code reg address value values input skill type nummer numer numeru número numero número numéro
  registration identification account konto kontonummer european eu ue is are was be reads ist lautet mit jest to brzmi wynosi
  this that the these following my our on with for für dla as a an valid correct eine ein einen die der das gültige
  korrekte poprawny prawidłowy validation verification check test validate use call i have`,
)
/** Words between a value and the name of its type: "is 12345 a valid NIP?". */
const AHEAD = words(
  'is are be as a an the this that our your into in look looks like polish polski german eu european to jest ist ein eine einen die der das polnische est un una een',
)
/** Words of courtesy. */
const POLITE = words(
  'please pls kindly hi hello hey thanks bitte danke hallo proszę prosze cześć merci svp bonjour gracias hola',
)

const ENDS_CLAUSE = /[,;.!?…]/

/** True when a name of the type stands beside the value with nothing but such words between, or announces it. */
export function isLinked(text: readonly TextWord[], run: Run, skill: Skill): boolean {
  return isBehindName(text, run, skill) || isBeforeName(text, run, skill)
}

function isBehindName(text: readonly TextWord[], { from }: Run, skill: Skill): boolean {
  if (/^(value|input|wert|wartość)$/.test(text[from - 1]?.compact ?? '')) return true
  const isAnnounced =
    /[:=]$/.test(text[from - 1]?.after ?? '') || /^(is|ist|to|jest)$/.test(text[from - 1]?.compact ?? '')
  for (let index = from - 1; index >= 0; index--) {
    const word = text[index]
    if (word === undefined) return false
    // "no. 12345", "a valid PESEL? 4405140135"
    const isAbbreviation = word.after === '.' && LINKS.has(word.compact)
    const isAsked = index === from - 1 && word.after === '?'
    if (word.after === BLANK_LINE && word.names === undefined) return false
    if (ENDS_CLAUSE.test(word.after) && !isAbbreviation && !isAsked) return false
    if (word.names === skill) return true
    if (word.core || word.names !== undefined || !(isAnnounced || LINKS.has(word.compact))) return false
  }
  return false
}

/** Words from a value to the name behind it at most: "is 12345 a valid Polish NIP?". */
const FARTHEST = 5

function isBeforeName(text: readonly TextWord[], { to, value }: Run, skill: Skill): boolean {
  // "14-digit REGON", "2 NIPs".
  if (/^\d{1,4}$|^\d{1,2}-?\p{L}/u.test(value)) return false
  for (let index = to + 1; index <= to + FARTHEST; index++) {
    if (!/^ ?[-–—(]?$/.test(text[index - 1]?.after ?? '.')) return false
    const word = text[index]
    if (word?.names === skill) return true
    if (word === undefined || !(AHEAD.has(word.compact) || VALID.test(word.compact))) return false
  }
  return false
}

/** Verbs that order a check, by their stems in eleven languages; a past form or a plural tells of one. */
const ORDER =
  /^((re|double)?check(ing)?|(re)?validat(e|ing|ion)|valid(iere?n?|er|ez|a|ar|e|uj)|verif(y|ying|ication|ica|icar|ique|iquem?|icare|iziere?n?|ieer)|vérifi(e|er|ez)|confirm|inspect|examine|test|analy[sz]e|(über|ueber)?(prüf|pruef)(e|en|t)?|checken?|kontroll?iere?n?|kontroluj|zkontroluj(te)?|ověř(te)?|sprawdź|sprawdz(ić|ic)?|(z)?weryfik(uj|ować|owac)|(z)?waliduj|comprueb[ae]|comprobar|controll?a(re)?|controleer|contrôle[rz]?)$/
/** Words that ask for a check in a question or behind "if". */
const VALID =
  /^(valid[eaoá]?|válid[oa]|valide|(well)?form(ed|at|atted)|correct[aeo]?(ly)?|good|fine|real|proper|acceptable|accepted|complete|allowed|typo|corrett[ao]|corre[ct]t?[ao]|korrekt[er]*|genuine|legit|ok|okay|plausible|pass|passes|gültig(e[rs]?)?|gueltig|stimmt|richtig|geldige?|giltigt?|poprawn[yae]|prawidłow[yae]|prawidlow[yae]|ważny|platn[ýáé]|správn[ýáé]|syntactically)$/
const ASKS_IF = /^(if|whether|ob|czy)$/
const QUESTION = /^(is|are|does|can|could|would|ist|sind|stimmt|est|es|è|é|är|je)$/
/** A past form that is ordered: "I need it checked". */
const DONE = /^((re)?check|validat|verifi)ed$/
/** Words in front of a noun: "the check", "my validation". */
const BEFORE_NOUN = words(
  'the my your our his their last first this that of for meine deine die der das un una la le el il',
)
const NEGATIONS = words(
  `not never dont didnt wont isnt arent shouldnt mustnt except instead skip ignore stop cancel forget refund unless already
  nie anuluj nicht kein keine keinen ne pas non não niet geen nekontroluj nekontrolujte neověřuj neověřujte`,
)
const OR = words('or oder czy lub albo ou o whether know sure')

/**
 * True when the text has an order word, or nothing but names and the value; false where it forbids the check. A number
 * that lacks its country may have it in any other word.
 */
export function asksPlainly(text: readonly TextWord[], { from, to }: Run, isBareNumber: boolean): boolean {
  const isOutside = (_: unknown, index: number) => index < from || index > to
  const rest = text.filter(isOutside)
  if (rest.some(({ compact }, index) => compact === 'no' && rest[index + 1]?.compact === 'need')) return false
  if (rest.some(({ compact }, index) => NEGATIONS.has(compact) && !OR.has(rest[index - 1]?.compact ?? ''))) {
    return false
  }
  const isBare = ({ names, compact, core }: TextWord) =>
    names !== undefined || (!core && (LINKS.has(compact) || POLITE.has(compact)))
  if (rest.every(isBare)) return true
  if (isBareNumber && !rest.every((word) => isBare(word) || ORDER.test(word.compact))) return false
  const isQuestion = text.some(
    ({ compact, after }, index) =>
      after.includes('?') || ASKS_IF.test(compact) || (index === 0 && QUESTION.test(compact)),
  )
  const isWish = text.some(({ compact }) => /^(want|need|should)$/.test(compact))
  return rest.some(({ compact }, index) => {
    if (VALID.test(compact)) return isQuestion
    if (DONE.test(compact)) return isWish
    return ORDER.test(compact) && !BEFORE_NOUN.has(rest[index - 1]?.compact ?? '')
  })
}
