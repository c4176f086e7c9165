/** The words that make a text an order, in every form that people use. */
import { describe, expect, it } from 'vitest'
import { textReader } from '../../../../../src/surfaces/a2a/request/text/read-text-order.ts'
import { realRegistry } from '../../../../support/registry.ts'

const read = textReader(realRegistry())
const IBAN = 'GB82WEST12345698765432'
const isSold = (text: string) => {
  const reading = read(text)
  return reading.kind === 'order' && reading.certain
}
const words = (list: string) => list.trim().split(/\s+/)
const unsold = (texts: readonly string[]) => texts.filter((text) => !isSold(text))

const VERBS = words(`
  check checking checker recheck rechecking doublecheck validate validating validation validator revalidate revalidation
  verify verifying verification confirm inspect examine determine test analyse analyze
  prüf prüfe prüfen prüft prüfung überprüf überprüfe überprüfen überprüfung pruef pruefe ueberpruefen checke checken
  validier validiere validieren verifizier verifiziere verifizieren kontrollier kontrolliere kontrollieren
  sprawdź sprawdzić sprawdzic sprawdzenie weryfikuj zweryfikuj weryfikować zweryfikowac weryfikacja weryfikację weryfikacji
  waliduj zwaliduj valider validez vérifie vérifier vérifiez contrôler contrôlez
  valida validar verifica verificar verifique verifiquem comprueba compruebe comprobar
  controla controlla controllare verifieer controleer
  kontroluj zkontroluj zkontrolujte validuj ověř ověřte`)
const JUDGEMENTS = words(`
  valid invalid valide valida valido válida válido formed format formatted wellformed wellformatted
  correct correctly correcta correcto correta correto corretta corretto correcte korrekt korrekte korrekter
  plausible right wrong ok okay proper legit complete acceptable
  gültig gültige gültiger gültiges gueltig stimmt richtig geldig geldige giltig giltigt
  poprawny poprawna poprawne prawidłowy prawidłowa prawidlowy platný platná platné správný správná správné`)

describe('a text with an IBAN', () => {
  it('orders a check by a verb or its noun, in eleven languages', () => {
    expect(unsold(VERBS.map((verb) => `${verb} IBAN ${IBAN}`))).toEqual([])
  })

  it('orders one by asking for a judgement', () => {
    expect(unsold(JUDGEMENTS.map((word) => `Is the IBAN ${IBAN} ${word}?`))).toEqual([])
    const asked = words('is are does can could would ist sind stimmt est es è é är je')
    expect(unsold(asked.map((word) => `${word} IBAN ${IBAN} valid`))).toEqual([])
    expect(
      unsold(words('if whether sure ob czy').map((word) => `See ${word} IBAN ${IBAN} is valid`)),
    ).toEqual([])
    for (const word of words('valid correct gültig poprawny'))
      expect(isSold(`The IBAN ${IBAN} is ${word}.`)).toBe(false)
  })

  it('orders nothing by a word that only holds such a word', () => {
    const verbs = words('uncheck checkout contest tester revalidates kontrolujemy')
    for (const verb of verbs) expect([verb, isSold(`${verb} IBAN ${IBAN}`)]).toEqual([verb, false])
    for (const word of words('validly outright okayed unvalid misformed'))
      expect([word, isSold(`Is the IBAN ${IBAN} ${word}?`)]).toEqual([word, false])
    for (const word of words('this issue')) expect(isSold(`${word} IBAN ${IBAN} valid`)).toBe(false)
    for (const word of words('unchecked verifiedly'))
      expect(isSold(`I need IBAN ${IBAN} ${word}`)).toBe(false)
  })

  it('orders one by wishing it done', () => {
    const wishes = words('want need should').flatMap((wish) =>
      words('checked rechecked validated verified').map((done) => `I ${wish} IBAN ${IBAN} ${done}`),
    )
    expect(unsold(wishes)).toEqual([])
    expect(isSold(`IBAN ${IBAN} checked`)).toBe(false)
    expect(isSold(`I need IBAN ${IBAN}`)).toBe(false)
  })
})
