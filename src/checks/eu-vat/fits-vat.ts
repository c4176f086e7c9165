/** Whether a VAT number fits, as it is or with one slip in its prefix undone. */
import { judgeVat } from './judge-vat.ts'
import { MEMBER_STATES } from './member-states.ts'
import { PREFIX, vatState } from './vat-state.ts'

/** Whether the verdict and the state's own check digits pass: the structure alone would fit too often. */
export function fitsWithNational(vat: string): boolean {
  return judgeVat(vat) === 'ok' && vatState(vat)!.state.national.passes(vat.slice(PREFIX))
}

/** Whether the prefix of another state, one letter away, makes the value fit as it is. */
export const hasOneLetterWrong = (vat: string): boolean =>
  [...MEMBER_STATES.keys()].some(
    (prefix) =>
      (prefix.charAt(0) === vat.charAt(0)) !== (prefix.charAt(1) === vat.charAt(1)) &&
      fitsWithNational(prefix + vat.slice(PREFIX)),
  )

/** Whether some letter in front makes the value fit: HR without its H looks like RO with a zero for the O. */
export const hasLostLetter = (vat: string): boolean =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].some((letter) => fitsWithNational(letter + vat))
