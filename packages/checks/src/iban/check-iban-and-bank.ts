/** The check with the lists of banks: a result names the bank, where its code is listed. */
import { bankFinder } from './bank-lists.ts'
import { ibanCheck } from './check-iban.ts'
import { IBAN } from './profile.ts'

export const checkIbanAndBank = ibanCheck(IBAN, bankFinder())
