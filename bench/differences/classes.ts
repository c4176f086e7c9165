/** The classes that differences between us and other libraries fall into, each with the source that decides it. */
import type { CheckType, Details } from '../../src/checks/verdict.ts'

/** One value that a library judges otherwise. */
export interface Difference {
  readonly type: CheckType
  readonly peer: string
  readonly value: string
  /** Whether we accept the value; the library says the opposite. */
  readonly accepted: boolean
  readonly details: Details
  /** Whether the library accepts the compact, upper-case form of a value that we accept. */
  readonly takesCompact: boolean
  /** Whether the library accepts the registry's own example of the IBAN's country. */
  readonly takesExample: boolean
}

export interface DifferenceClass {
  readonly types: readonly CheckType[]
  /** Empty for any library. */
  readonly peers: readonly string[]
  /** What they do otherwise. */
  readonly what: string
  /** The source that decides. */
  readonly decides: string
  readonly matches: (difference: Difference) => boolean
}

const NUMBERS: readonly CheckType[] = ['iban', 'eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel']
const REGISTRY = 'SWIFT IBAN Registry, release 103'
const VIES = 'European Commission, VIES FAQ, question 11'
const NIP_ACT = 'Act of 13 October 1995 on the registration and identification of taxpayers'
const PESEL_ACT = 'Act of 24 September 2010 on population registration, article 15'
const OWN_FORM = 'our own rule, named in `details.normalization`'

const refusedAs =
  (...codes: readonly string[]) =>
  ({ accepted, details }: Difference) =>
    !accepted && codes.includes(details.code)
const acceptedWhere = (holds: (difference: Difference) => boolean) => (difference: Difference) =>
  difference.accepted && holds(difference)
const refusedFor =
  (code: string, ...countries: readonly string[]) =>
  (difference: Difference) =>
    refusedAs(code)(difference) && countries.includes(String(difference.details.country))

const acceptedIn = (country: string) => acceptedWhere(({ details }) => details.country === country)

const compact = (value: string) => value.replace(/[^0-9A-Za-z+*]/g, '').toUpperCase()

function nationalFails({ details }: Difference): boolean {
  const { nationalCheck } = details as { nationalCheck?: string | { readonly result: string } }
  return typeof nationalCheck === 'object' ? nationalCheck.result === 'failed' : nationalCheck === 'failed'
}

/** Whether an IBAN of one of the countries has such a character where its structure allows letters and digits. */
const hasAtFreePlace = (character: RegExp, countries: readonly string[]) =>
  acceptedWhere(({ value, details }) => {
    const { structure, country } = details as { structure?: string; country?: string }
    if (countries.length > 0 && !countries.includes(String(country))) return false
    const kinds = [...(structure ?? '').matchAll(/(\d+)!([nac])/g)].flatMap(([, count, kind]) =>
      new Array<string>(Number(count)).fill(kind!),
    )
    const bban = compact(value).slice(4)
    return kinds.some((kind, offset) => kind === 'c' && character.test(bban.charAt(offset)))
  })

const lastLabel = (value: string) => value.trim().split('.').at(-1)!
const localPart = (value: string) => value.trim().split('@')[0]!
const domainOf = (value: string) => value.trim().split('@').at(-1)!

/** In order: the first class that matches explains a difference. */
export const CLASSES: readonly DifferenceClass[] = [
  {
    types: NUMBERS,
    peers: [],
    what: 'take the compact, upper-case form alone: no separators, no lower case, no spaces around',
    decides: `ISO 13616-1 (an IBAN is printed in groups of four); for the others ${OWN_FORM}`,
    matches: acceptedWhere(({ takesCompact }) => takesCompact),
  },
  {
    types: ['email'],
    peers: [],
    what: 'refuse spaces and line ends around an address',
    decides: OWN_FORM,
    matches: acceptedWhere(({ takesCompact }) => takesCompact),
  },
  {
    types: ['iban'],
    peers: [],
    what: 'do not know the country or its present structure: they refuse the registry’s own example',
    decides: REGISTRY,
    matches: acceptedWhere(({ takesExample }) => !takesExample),
  },
  {
    types: ['iban'],
    peers: ['polish-validators'],
    what: 'takes digits alone in the account number of every country',
    decides: REGISTRY,
    matches: acceptedWhere(({ value }) => /[A-Z]/.test(compact(value).slice(4))),
  },
  {
    types: ['iban'],
    peers: ['polish-validators'],
    what: 'knows a list of Polish banks, which changes; with us a bank is not looked up (`details.notChecked`)',
    decides: `${REGISTRY}: structure 8!n16!n`,
    matches: acceptedWhere(({ details }) => details.country === 'PL'),
  },
  {
    types: ['iban', 'eu-vat'],
    peers: [],
    what: 'let national check digits decide, or a part of them; with us they are reported in `details.nationalCheck`',
    decides: `${REGISTRY}, and ${VIES}: structures alone; states and banks have exceptions that are published nowhere in full`,
    matches: acceptedWhere(nationalFails),
  },
  {
    types: ['iban'],
    peers: ['validator', 'ibantools', 'iban.js', 'python-stdnum'],
    what: 'take digits alone where the registry allows letters and digits (`c`)',
    decides: REGISTRY,
    matches: hasAtFreePlace(/[A-Z]/, ['AZ', 'JO', 'LC', 'MD', 'PK', 'PS', 'UA']),
  },
  {
    types: ['iban'],
    peers: ['validator', 'ibantools', 'iban.js', 'python-stdnum'],
    what: 'take letters alone where the registry allows letters and digits (`c`)',
    decides: REGISTRY,
    matches: hasAtFreePlace(/\d/, ['BY', 'DO']),
  },
  {
    types: ['iban'],
    peers: ['ibantools'],
    what: 'drops the letters of an account number in national arithmetic instead of counting A as 10',
    decides: 'ISO 7064 MOD 97-10; our vectors of MK',
    matches: hasAtFreePlace(/[A-Z]/, ['MK']),
  },
  {
    types: ['iban'],
    peers: ['fast-iban', 'iban.js', 'ibantools', 'validator', 'python-stdnum'],
    what: 'drop signs and letters outside ASCII before they look at the number',
    decides: 'ISO 13616-1: the electronic form has the letters A to Z and digits alone',
    matches: refusedAs('invalid_character', 'label_prefix'),
  },
  {
    types: ['iban'],
    peers: ['fast-iban'],
    what: 'checks the check digits alone, not the country’s length and structure',
    decides: REGISTRY,
    matches: refusedAs('length', 'structure', 'country_not_in_registry'),
  },
  {
    types: ['iban'],
    peers: ['fast-iban', 'ibantools', 'iban.js', 'validator', 'polish-validators', 'python-stdnum'],
    what: 'take the check digits 00, 01 and 99, which no generator gives',
    decides: 'ISO 7064 MOD 97-10: 02 to 98',
    matches: refusedAs('check_digits_out_of_range'),
  },
  {
    types: ['iban'],
    peers: ['iban.js', 'python-stdnum', 'fast-iban'],
    what: 'take letters for check digits',
    decides: 'ISO 13616-1: two digits follow the country code',
    matches: refusedAs('check_digits_format'),
  },
  {
    types: ['iban'],
    peers: ['ibantools', 'python-stdnum'],
    what: 'judge Norwegian accounts whose fifth and sixth digits are 00, or whose bank code is 0000, by the common rule',
    decides: 'Bits AS, kontonummer: these accounts follow other rules; with us `not_checked`',
    matches: acceptedWhere(
      ({ details }) => details.country === 'NO' && details.nationalCheck === 'not_checked',
    ),
  },
  {
    types: ['iban'],
    peers: ['ibantools', 'validator', 'iban.js', 'python-stdnum'],
    what: 'have structures that are wider than the registry’s',
    decides: REGISTRY,
    matches: refusedAs('structure'),
  },
  {
    types: ['iban'],
    peers: ['ibantools', 'validator', 'iban.js', 'polish-validators'],
    what: 'know countries that have registered nothing with SWIFT, and territories that use the code of another',
    decides: REGISTRY,
    matches: refusedAs('country_not_in_registry'),
  },
  {
    types: ['iban'],
    peers: ['polish-validators'],
    what: 'takes a number without a country code for a Polish one',
    decides: 'ISO 13616-1: an IBAN starts with two letters',
    matches: refusedAs('country_missing'),
  },
  {
    types: ['eu-vat', 'pl-nip'],
    peers: ['jsvat', 'polish-validators', 'validator'],
    what: 'count a remainder of 10 as check digit 0, or do not look at the check digit',
    decides: NIP_ACT,
    matches: refusedAs('checksum_impossible'),
  },
  {
    types: ['eu-vat', 'pl-nip'],
    peers: ['validator'],
    what: 'does not look at the check digit of a NIP',
    decides: NIP_ACT,
    matches: refusedAs('checksum'),
  },
  {
    types: ['eu-vat', 'pl-nip', 'pl-regon'],
    peers: ['validator', 'jsvat', 'stdnum', 'validate-polish', 'python-stdnum'],
    what: 'take zeros, whose check digit fits',
    decides: 'our own rule: a register counts from one',
    matches: refusedAs('all_zero'),
  },
  {
    types: ['eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel'],
    peers: ['jsvat', 'python-stdnum', 'stdnum', 'polish-validators', 'validator'],
    what: 'drop full stops, slashes, colons or other signs, or take digits of other scripts',
    decides: `${VIES} (structures of letters and digits); for the Polish numbers ${OWN_FORM}`,
    matches: refusedAs('invalid_character'),
  },
  {
    types: ['eu-vat'],
    peers: ['jsvat'],
    what: 'has no Northern Ireland (XI)',
    decides: `${VIES}; Withdrawal Agreement, Protocol on Ireland and Northern Ireland, article 8`,
    matches: acceptedIn('XI'),
  },
  {
    types: ['eu-vat'],
    peers: ['jsvat'],
    what: 'knows no Belgian numbers that start with 1, which are issued since 2023',
    decides: VIES,
    matches: acceptedIn('BE'),
  },
  {
    types: ['eu-vat'],
    peers: ['jsvat', 'validator'],
    what: 'know not all Irish shapes: two letters, "+" or "*" in second place',
    decides: `${VIES}: 9S99999L and 9999999WI`,
    matches: acceptedIn('IE'),
  },
  {
    types: ['eu-vat'],
    peers: ['jsvat', 'validator'],
    what: 'tie the last character of a Spanish number to its first letter, each in another way',
    decides: `${VIES}: first and last character may be letter or digit, not both digits`,
    matches: acceptedIn('ES'),
  },
  {
    types: ['eu-vat'],
    peers: ['jsvat', 'python-stdnum'],
    what: 'know no Latvian personal codes without a date (32 to 39), or judge the check digit of those with one',
    decides: `Office of Citizenship and Migration Affairs, personal codes since 1 July 2017; the structure by ${VIES}`,
    matches: acceptedIn('LV'),
  },
  {
    types: ['eu-vat'],
    peers: ['jsvat'],
    what: 'narrows the first digits of Cypriot numbers',
    decides: VIES,
    matches: acceptedIn('CY'),
  },
  {
    types: ['eu-vat'],
    peers: ['jsvat'],
    what: 'takes eleven digits in Czechia, and has another rule for birth numbers',
    decides: 'Act 133/2000 Sb. on birth numbers, section 13',
    matches: (difference) => acceptedIn('CZ')(difference) || refusedFor('format', 'CZ')(difference),
  },
  {
    types: ['eu-vat'],
    peers: ['python-stdnum'],
    what: 'lets the check digit of 2009 (remainder 42) begin with numbers from 100',
    decides: 'HM Revenue & Customs, VAT registration numbers, name no range; a national result, no verdict',
    matches: acceptedIn('XI'),
  },
  {
    types: ['eu-vat'],
    peers: ['python-stdnum', 'validator'],
    what: 'have wider shapes: a second letter behind the old shape, or a digit for the last letter',
    decides: `${VIES}: 9S99999L and 9999999WI`,
    matches: refusedFor('format', 'IE'),
  },
  {
    types: ['eu-vat'],
    peers: ['python-stdnum'],
    what: 'takes GR for EL; with us a hint',
    decides: 'Council Directive 2006/112/EC, article 215: EL',
    matches: refusedAs('use_el_prefix'),
  },
  {
    types: ['eu-vat'],
    peers: ['python-stdnum', 'jsvat'],
    what: 'put the zeros in front that a number lacks; with us a hint',
    decides: `${VIES}: nine digits in Greece, nine before the B in the Netherlands, ten in Belgium`,
    matches: refusedFor('format', 'EL', 'NL', 'BE'),
  },
  {
    types: ['eu-vat'],
    peers: ['validator'],
    what: 'has wider structures: underscores and letters in CY, 2 to 9 in front in BE, ten and eleven digits in LT',
    decides: VIES,
    matches: refusedFor('format', 'BE', 'CY', 'LT'),
  },
  {
    types: ['eu-vat'],
    peers: ['validator', 'jsvat'],
    what: 'know tax numbers of other countries under the same call',
    decides: `${VIES}: the 27 member states and XI`,
    matches: refusedAs('country_not_eu', 'gb_not_eu', 'oss_ioss_number', 'use_el_prefix'),
  },
  {
    types: ['pl-pesel'],
    peers: ['stdnum'],
    what: 'compares the date with today, and knows the 20th and 21st century alone',
    decides: `${PESEL_ACT}: 1800 to 2099 by statute; no verdict depends on the day it is asked for`,
    matches: acceptedWhere(() => true),
  },
  {
    types: ['pl-pesel'],
    peers: ['validator isTaxID'],
    what: 'computes a check digit of 10 where it is 0, and knows no births before 1900 or after 2099',
    decides: PESEL_ACT,
    matches: acceptedWhere(() => true),
  },
  {
    types: ['pl-pesel'],
    peers: ['validator isTaxID'],
    what: 'takes a NIP as well: a Polish tax number is either',
    decides: PESEL_ACT,
    matches: refusedAs('length'),
  },
  {
    types: ['pl-pesel'],
    peers: ['validator isIdentityCard', 'validate-polish'],
    what: 'do not look at the date, or let 29 and 30 February pass in each year',
    decides: PESEL_ACT,
    matches: refusedAs('birth_date'),
  },
  {
    types: ['email'],
    peers: ['validator', '@hapi/address'],
    what: 'take internationalised addresses, invisible characters and digits of other scripts among them',
    decides: 'RFC 5321: ASCII; the extension of RFC 6531 is not offered by every server',
    matches: refusedAs('non_ascii'),
  },
  {
    types: ['email'],
    peers: ['validator', '@hapi/address', 'valibot'],
    what: 'want a top-level domain of letters, two at least, or a known one',
    decides: 'RFC 3696, section 2: not all digits; which exist changes daily',
    matches: acceptedWhere(({ value }) => !/^[a-z]{2,}$/i.test(lastLabel(value))),
  },
  {
    types: ['email'],
    peers: ['valibot'],
    what: 'takes letters, digits, "_", "+", "-" and single dots alone in the local part',
    decides: 'RFC 5322, 3.2.3: atext',
    matches: acceptedWhere(({ value }) => !/^[\w+-]+(\.[\w+-]+)*$/.test(localPart(value))),
  },
  {
    types: ['email'],
    peers: ['validator', 'valibot'],
    what: 'refuse two hyphens in a row in a label of the domain',
    decides: 'RFC 1035, 2.3.1: hyphens stand inside',
    matches: acceptedWhere(({ value }) => domainOf(value).includes('--')),
  },
]
