/**
 * How plainly a text orders the check that was understood: its value must be linked to the type, and a clause must ask
 * for a check.
 */
import type { Skill } from '../../../../catalog/skill.ts'
import type { Run, TextWord } from './find-values.ts'
import { BLANK_LINE } from './words.ts'

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

/** Words that only accompany a name and a value, and those of courtesy. */
const LABELS = words(
  `number numbers no nr num id code reg registration identification account address value values input skill type a an the this
  to on for with is are be reads as that these following it of european eu ue polish german
  nummer numer numeru número numero numéro konto kontonummer adres adresse ist lautet jest brzmi wynosi für dla eine einen ein
  die der das polnische polski est un una la le il el l d
  please pls kindly hi hello hey there thanks thank you bitte danke hallo proszę prosze o cześć dzień dobry merci svp bonjour gracias hola`,
)
/** Further words of an order. Any other word may give it another meaning: "check the holder of", "in VIES". */
const IN_ORDERS = words(
  `and or by in if whether me us i we can could may would will should must do does you your able need want like know let tell see
  make sure use run perform execute call return answer give using against have has our now good morning fine help any error find just quick quickly
  asap sanity syntactically accepted mind being really double look looks format syntax form structure checksum digit digits field tool request bank tax one below
  correctly properly before well ob sie ich wir kannst können könnten du mir uns auf und zu den dem czy ten ta te tę mi nam na możesz
  numer konta pod kątem poprawność poprawności formatu numeru cette elle si vous pouvez peux sil estil estelle estce ladresse plaît plait te merci intracommunautaire alstublieft
  questo questa lo lindirizzo puedes puoi este esta por favor per de del e è é sia sea het prosím`,
)

/** Verbs and nouns that order a check, in eleven languages. */
const ORDER =
  /^((re|double)?check(ing|er)?|(re)?validat(e|ing|ion|or)|valid(iere?n?|er|ez|a|ar|e|uj)|verif(y|ying|ication|ica|icare?|iquem?|iziere?n?|ieer)|vérifi(e|er|ez)|confirm|inspect|examine|determine|test|analy[sz]e|(über|ueber)?(prüf|pruef)(e|en|t|ung)?|checken?|kontroll?iere?n?|kontroluj|zkontroluj(te)?|ověř(te)?|sprawdź|sprawdz(ić|ic|enie)?|(z)?weryfik(uj|ować|owac|acj[aęi])|(z)?waliduj|comprueb[ae]|comprobar|controll?a(re)?|controleer|contrôle[rz]?)$/
/** Words that order a check in a question or after "if". */
const VALID =
  /^((in)?valid[eaoá]?|válid[oa]|(well)?form(ed|at|atted)|correct[aeo]?(ly)?|corre[ct]t?[ao]|korrekt[er]*|plausible|right|wrong|ok|okay|proper|legit|typo|complete|pass|passes|acceptable|gültig(e[rs]?|keit)?|stimmt|richtig|gueltig|geldige?|giltigt?|poprawn[yae]|prawidłow[yae]|prawidlow[yae]|platn[ýáé]|správn[ýáé])$/
const ASKS_IF = words('if whether sure ob czy')
const QUESTION = /^(is|are|does|can|could|would|ist|sind|stimmt|est|es|è|é|är|je)$/
/** After a wish: "I need it checked". */
const DONE = /^((re)?check|validat|verifi)ed$/
const WISH = words('want need should')

const ENDS_CLAUSE = /[,;:.!?…()\n–—]| - /

const isLabel = ({ names, compact, core }: TextWord): boolean =>
  names !== undefined || (!core && LABELS.has(compact))

const isPlain = (word: TextWord): boolean =>
  isLabel(word) ||
  (!word.core &&
    (IN_ORDERS.has(word.compact) || [ORDER, VALID, DONE, QUESTION].some((kind) => kind.test(word.compact))))

/** True if a name of the type is before or behind the value with only plain words between, or announces it. */
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
    const isAbbreviation = word.after === '.' && LABELS.has(word.compact)
    const isAsked = index === from - 1 && word.after === '?'
    if (word.after === BLANK_LINE && word.names === undefined) return false
    if (/[,;.!?…]/.test(word.after) && !isAbbreviation && !isAsked) return false
    if (word.names === skill) return true
    if (word.core || word.names !== undefined || !(isAnnounced || isPlain(word))) return false
  }
  return false
}

/** The most words from a value to the name behind it: "is 12345 a valid Polish NIP?". */
const FARTHEST = 5

function isBeforeName(text: readonly TextWord[], { to, value }: Run, skill: Skill): boolean {
  // "14-digit REGON", "2 NIPs".
  if (/^\d{1,4}$|^\d{1,2}-?\p{L}/u.test(value)) return false
  for (let index = to + 1; index <= to + FARTHEST; index++) {
    if (!/^ ?[-–—(]?$/.test(text[index - 1]?.after ?? '.')) return false
    const word = text[index]
    if (word?.names === skill) return true
    if (word === undefined || !isPlain(word)) return false
  }
  return false
}

/**
 * True if a clause of plain words asks for the check and has its value or a name of a type, or is beside the clause
 * with the value; or if the text has nothing but names and the value.
 */
export function asksPlainly(source: string, text: readonly TextWord[], { from, to }: Run): boolean {
  const clauses: Clause[] = []
  let words: TextWord[] = []
  let hasValue = false
  for (const [index, word] of text.entries()) {
    const isValue = index >= from && index <= to
    hasValue ||= isValue
    if (!isValue) words.push(word)
    const between = source.slice(word.end, text[index + 1]?.start)
    if (index < text.length - 1 && (!ENDS_CLAUSE.test(between) || (isValue && index < to))) continue
    clauses.push({ words, hasValue, isAsked: between.includes('?') })
    words = []
    hasValue = false
  }
  const isBare = (clause: Clause | undefined) => clause?.words.every(isLabel) === true
  if (clauses.every(isBare)) return true
  const place = clauses.findIndex((clause) => clause.hasValue)
  return clauses.some((clause, index) => {
    const isNear = clause.hasValue || clause.words.some(({ names }) => names !== undefined)
    return (
      isOrder(clause) &&
      (isNear ||
        (index > place && !clause.words.some(({ compact }) => compact === 'confirm')) ||
        (index === place - 1 && isBare(clauses[place])))
    )
  })
}

interface Clause {
  /** Those that are not in the value. */
  readonly words: readonly TextWord[]
  readonly hasValue: boolean
  readonly isAsked: boolean
}

function isOrder({ words, isAsked }: Clause): boolean {
  if (!words.every(isPlain)) return false
  const has = (kind: RegExp) => words.some(({ compact }) => kind.test(compact))
  const hasOneOf = (list: ReadonlySet<string>) => words.some(({ compact }) => list.has(compact))
  const isQuestion = isAsked || hasOneOf(ASKS_IF) || QUESTION.test(words[0]?.compact ?? '')
  if (words[0]?.compact === 'no') return false
  return has(ORDER) || (isQuestion && has(VALID)) || (hasOneOf(WISH) && has(DONE))
}
