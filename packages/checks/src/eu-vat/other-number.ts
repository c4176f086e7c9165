/**
 * Numbers of invoices, companies and persons where a tax number was asked.
 *
 * Source: Ministry of Finance of Poland, KSeF documentation, "Numer KSeF": NIP, date, twelve hexadecimal digits and a
 * checksum; the others in `states/`.
 */
import { judgeNipDigits } from '../pl-nip/nip-digits.ts'
import { isSiren, isSiret } from './states/fr.ts'
import { isCnp } from './states/ro.ts'
import { hasFormat, isWithoutPrefix, vatState } from './vat-state.ts'

const KSEF = /(?<![0-9A-Z])(?:PL)?(\d{10})-\d{8}-[0-9A-F]{6}-?[0-9A-F]{6}-[0-9A-F]{2}(?![0-9A-Z])/i
const SIREN_LABEL = /SIREN|\bRCS\b/i
const SIREN_GROUPS = /^\s*\d{3} \d{3} \d{3}\s*$/

/** The scheme of a Peppol identifier, or whatever stands in front of the first digit, or of the letter that a number starts with. */
const LABEL = /^(?:.*:)?\d{4}\s*:\s*|^[^0-9]*[^\p{L}0-9](?=[A-Z]\d)|^[^0-9]*/iu

/** Numbers that no member state issues as VAT numbers, by their form or their label. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/\bCHE[- ]?\d{3}\.?\d{3}\.?\d{3}\b/i, 'a Swiss company or VAT number, which is not one of the EU'],
  [
    /\bNO ?\d{3} ?\d{3} ?\d{3}\b|\b\d{3} ?\d{3} ?\d{3} ?MVA\b/i,
    'a Norwegian VAT number, which is not one of the EU',
  ],
]
const ONE_STOP_SHOP = /(?<![0-9A-Z])(?:EU\d{9}|I[MN]\d{10})(?![0-9A-Z])/i

/** What a VAT number that is not one of the EU is. */
export function foreignVatKind(value: string): { readonly kind: string } | 'one_stop_shop' | undefined {
  if (ONE_STOP_SHOP.test(value)) return 'one_stop_shop'
  const kind = KINDS.find(([form]) => form.test(value))?.[1]
  return kind === undefined ? undefined : { kind }
}

export function otherNumber(value: string) {
  const nip = KSEF.exec(value)?.[1]
  if (nip !== undefined && judgeNipDigits(nip) === 'ok') return 'ksef_number'
  const [label, number] = behindLabel(value)
  if (isSiret(number)) return 'french_siret'
  if (isCnp(number)) return 'romanian_cnp'
  return SIREN_LABEL.test(label) && isSiren(number) ? 'french_siren_without_key' : undefined
}

/** Whether a value is a SIREN in its groups, and no number of a state; others of nine digits fit the Luhn formula by chance. */
export function isGroupedSiren(value: string): boolean {
  if (!SIREN_GROUPS.test(value)) return false
  const [, number] = behindLabel(value)
  return isSiren(number) && !isWithoutPrefix(number)
}

/** Words and schemes that are no prefix; a hyphen or nothing divides a foreign prefix from its number. */
const WORDS = /^(?!CHE|EIN).*(?:[^\P{L}A-Za-z]|(?:[A-Za-z][^A-Za-z]*){3}).*[^\p{L}-]$|\d{4}/isu
/** Fewer digits are in no VAT number of most states. */
const SHORTEST = 8

/** Whether a label stands in front of what has the structure of some state without its prefix. */
export function lacksPrefix(value: string): boolean {
  const [label, number] = behindLabel(value)
  const letters = label.replace(/[^A-Za-z]/g, '').toUpperCase()
  const isPrefix = letters.length <= 3 && vatState(letters) !== undefined
  return WORDS.test(label) && !isPrefix && number.length >= SHORTEST && hasFormat(number)
}

function behindLabel(value: string): readonly [label: string, number: string] {
  const [label] = LABEL.exec(value)!
  return [
    label,
    value
      .slice(label.length)
      .replace(/[.,]0{1,2}\s*$/, '')
      .replace(/[\s.-]/g, '')
      .toUpperCase(),
  ]
}
