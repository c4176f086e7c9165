/** The checks' bare verdicts, by type. */
import { isEmail } from '../../src/checks/email/check-email.ts'
import { isEuVat } from '../../src/checks/eu-vat/check-eu-vat.ts'
import { isIban } from '../../src/checks/iban/check-iban.ts'
import { isPlNip } from '../../src/checks/pl/check-nip.ts'
import { isPlPesel } from '../../src/checks/pl/check-pesel.ts'
import { isPlRegon } from '../../src/checks/pl/check-regon.ts'
import type { CheckType } from '../../src/checks/verdict.ts'

export const VERDICTS: Readonly<Record<CheckType, (value: string) => boolean>> = {
  iban: isIban,
  'eu-vat': isEuVat,
  'pl-nip': isPlNip,
  'pl-regon': isPlRegon,
  'pl-pesel': isPlPesel,
  email: isEmail,
}
