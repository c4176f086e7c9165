import { judgeVat } from './judge-vat.ts'
import { MEMBER_STATES } from './member-states.ts'
import { PREFIX, vatState } from './vat-state.ts'

/** The state's own check digits must fit too, because many wrong values fit the structure alone. */
export function fitsWithNational(vat: string): boolean {
  return judgeVat(vat) === 'ok' && vatState(vat)!.state.national.passes(vat.slice(PREFIX))
}

export const hasOneLetterWrong = (vat: string): boolean =>
  [...MEMBER_STATES.keys()].some(
    (prefix) =>
      (prefix.charAt(0) === vat.charAt(0)) !== (prefix.charAt(1) === vat.charAt(1)) &&
      fitsWithNational(prefix + vat.slice(PREFIX)),
  )

/** Whether the value fits with some letter in front: HR without its H looks like RO with a zero for the O. */
export const hasLostLetter = (vat: string): boolean =>
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].some((letter) => fitsWithNational(letter + vat))
