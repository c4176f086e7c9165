/**
 * Names of other numbers in front of a value. Of ten numbers that are none of a check, one fits its check digit by chance, so a
 * number of another name is never offered.
 */

import type { Profile } from '../profile.ts'

interface OtherLabel {
  readonly names: string
  /** With its article, as a sentence says it. */
  readonly kind: string
}

const OTHER_LABELS: readonly OtherLabel[] = [
  {
    names:
      'tel|telefon\\w*|telephone|t\\u00e9l|phone|mob\\w*|kom|kom\\u00f3rka|gsm|handy|tlf|puh|fax|faks|whatsapp',
    kind: 'a telephone number',
  },
  { names: 'krs', kind: 'a number of the Polish court register (KRS)' },
  { names: 'bdo', kind: 'a number of the Polish waste register (BDO)' },
  { names: 'regon', kind: 'a REGON' },
  { names: 'pesel', kind: 'a PESEL' },
  { names: 'nip', kind: 'a NIP' },
  { names: 'ksef', kind: 'a KSeF number' },
  { names: 'eori', kind: 'an EORI number' },
  { names: 'i?oss', kind: 'a one-stop-shop number' },
  { names: 'hr[ab]|handelsregister\\w*', kind: 'a number of a German commercial register' },
  {
    names: 'st(?:euer)?[ .-]?(?:nr|nummer)|steuer-?id\\w*|finanzamt',
    kind: 'a German national tax number',
  },
  { names: 'kvk|rsin|bsn', kind: 'a Dutch national number' },
  { names: 'siret', kind: 'a SIRET' },
  { names: 'siren|rcs', kind: 'a SIREN' },
  { names: 'rea|codice fiscale', kind: 'an Italian national number' },
  {
    names: 'oib|org\\W{0,2}nr|organisationsnummer|orgnr|cvr|kbo|bce',
    kind: 'a national company number',
  },
  {
    names: 'mbs?|ico|i\\u010co|i\\u010c|cnpj|cpf|crn|company (?:no|number|nr)|fn|che-?id|y-tunnus',
    kind: 'a national company number',
  },
  {
    names: 'isbn|issn|ean|gtin|gln|upc|isin|wkn|sku|pkwiu|pkd|nace|cn',
    kind: 'a number of goods, books or securities',
  },
  { names: 'd-?u-?n-?s', kind: 'a DUNS number' },
  { names: 'lei|giin|imei|iccid|mac|vin', kind: 'a number of another register' },
  {
    names: 'ssn|ein|itin|nin|nino|utr|passport|paszport\\w*|dow\\u00f3d\\w*|pass|id card|svnr',
    kind: 'a number of a person or a foreign tax number',
  },
  { names: 'bic|swift|blz|bank code|sort[ -]?code', kind: 'a bank code' },
  {
    names: 'iban|konto|konta|nrb|rachun\\p{L}*|account|a/c|kontonummer',
    kind: 'an account number',
  },
  { names: 'card|karta|kreditkarte|visa|mastercard', kind: 'a card number' },
  {
    names:
      'faktur\\p{L}*|fv|invoice|rechnung\\p{L}*|facture|fattura|zam\\p{L}*|order|bestell\\p{L}*|kunden\\p{L}*|customer|klient\\p{L}*|auftrag\\p{L}*|umow\\p{L}*|contract|vertrag\\p{L}*|ref',
    kind: 'a number of an invoice, an order or a customer',
  },
  {
    names: 'ust-?id\\p{L}*|vat\\p{L}*|tva|btw|iva|uid|dph',
    kind: 'a VAT number',
  },
]

/** All in one, so that a value is read once; the number of the group that matched is that of the label. */
const NAMES = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${OTHER_LABELS.map(({ names }) => `(${names})`).join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
)

/** Two or three capital letters alone, which name a country; PL may stand in front of a NIP. */
const COUNTRY_IN_FRONT = /(?<![\p{L}\p{N}])(?!PL|NR|NO|ID|MR|DR|OO|SP)[A-Z]{2}[AEU]?[\s.:-]*$/u
const PLUS_IN_FRONT = /^\s*\+$/

/**
 * What the last name in front of a number calls it; undefined if no name of another kind is the last.
 *
 * @param labels - the field's own names
 * @param kinds - those that name the field's own value, or a part of it
 */
export function otherKind(
  front: string,
  { labels, kinds = [], outline }: Pick<Profile, 'labels' | 'kinds' | 'outline'>,
): string | undefined {
  if (!/[\p{L}+]/u.test(front)) return undefined
  const isNumeric = outline.kind === 'digits'
  if (isNumeric && PLUS_IN_FRONT.test(front)) return 'a telephone number'
  if (isNumeric && COUNTRY_IN_FRONT.test(front)) return 'a number of another country'
  // "N.I.P." is NIP.
  const text = front.replace(/(?<=\p{L})\.(?=\p{L})/gu, '')
  const found = lastOf(text, NAMES)
  if (found === undefined || found.index <= (lastOf(text, labels.anywhere)?.index ?? -1)) return undefined
  const { kind } = OTHER_LABELS[found.indexOf(found[0], 1) - 1]!
  return kinds.includes(kind) ? undefined : kind
}

/** What stands behind a name with a number of its own, such as a bank code. */
const HAS_OWN_NUMBER = /[;,|\t\r\n]|\p{Lu}{8}/u

function lastOf(text: string, names: RegExp): RegExpExecArray | undefined {
  let last: RegExpExecArray | undefined
  for (const match of text.matchAll(names))
    if (!HAS_OWN_NUMBER.test(text.slice(match.index + match[0].length))) last = match
  return last
}
