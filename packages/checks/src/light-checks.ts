import { checkEmail } from './email/check-email.ts'
import { EMAIL } from './email/profile.ts'
import { checkEuVat } from './eu-vat/check-eu-vat.ts'
import { MEMBER_STATES } from './eu-vat/member-states.ts'
import { EU_VAT } from './eu-vat/profile.ts'
import { checkIban } from './iban/check-iban.ts'
import { IBAN } from './iban/profile.ts'
import { checkPlNip } from './pl-nip/check-pl-nip.ts'
import { NIP } from './pl-nip/profile.ts'
import { checkPlPesel } from './pl-pesel/check-pl-pesel.ts'
import { PESEL } from './pl-pesel/profile.ts'
import { checkPlRegon } from './pl-regon/check-pl-regon.ts'
import { REGON } from './pl-regon/profile.ts'
import type { VerdictAmong } from './verdict-among.ts'

type Profiles = typeof PROFILES
type CheckType = keyof Profiles
type Check = (value: string) => VerdictAmong<Profiles[CheckType]>

export const CHECKS: Readonly<Record<CheckType, Check>> = Object.freeze({
  iban: checkIban,
  'eu-vat': checkEuVat,
  'pl-nip': checkPlNip,
  'pl-regon': checkPlRegon,
  'pl-pesel': checkPlPesel,
  email: checkEmail,
})

export const PROFILES = Object.freeze({
  iban: IBAN,
  'eu-vat': EU_VAT,
  'pl-nip': NIP,
  'pl-regon': REGON,
  'pl-pesel': PESEL,
  email: EMAIL,
})

/** What a VAT number begins with, in capital letters: Greece has EL, Northern Ireland XI. */
export const VAT_PREFIXES: ReadonlySet<string> = new Set(MEMBER_STATES.keys())
