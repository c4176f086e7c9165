/** The checks' bare verdicts, by type. */
import { isEmail } from '../../src/checks/email.ts'
import { isEuVat } from '../../src/checks/eu-vat/check-eu-vat.ts'
import { isIban } from '../../src/checks/iban.ts'
import { isPlNip } from '../../src/checks/pl-nip.ts'
import { isPlPesel } from '../../src/checks/pl-pesel.ts'
import { isPlRegon } from '../../src/checks/pl-regon.ts'
import type { CheckType } from '../../src/checks/verdict.ts'

export const VERDICTS: Readonly<Record<CheckType, (value: string) => boolean>> = {
  iban: isIban,
  'eu-vat': isEuVat,
  'pl-nip': isPlNip,
  'pl-regon': isPlRegon,
  'pl-pesel': isPlPesel,
  email: isEmail,
}
