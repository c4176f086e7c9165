/**
 * How people and programs break identifiers: a value that was meant, and what arrives instead.
 *
 * Weights are per mille of all mistakes of a type, before slips that do not apply are drawn again. Within typing they follow
 * Verhoeff, Error Detecting Decimal Codes (1969): single errors 60 to 95 % of errors in digits, swapped neighbours 10 to
 * 20 %, digits left out or added 10 to 20 %, twin, jump and phonetic errors about 1 % each; and Pollock and Zamora,
 * Collection and characterization of spelling errors (1983): 90 to 95 % of the misspellings have one mistake, and doubling
 * is the main kind of insertion. How typing, look-alikes, pasting and programs relate to each other is published nowhere:
 * these weights are our own.
 */

import { CHECK_TYPES, type CheckType } from 'format-checker-checks/verdict'
import { MEMBER_STATES } from '../../packages/checks/src/eu-vat/member-states.ts'
import { ibanNationalCheck } from '../../packages/checks/src/iban/national/national-check.ts'
import { IBAN_REGISTRY } from '../../packages/checks/src/iban/registry.ts'
import {
  ibanCheckDigits,
  validEuVat,
  validIban,
  validNip,
  validPesel,
  validRegon,
  validValue,
} from './identifiers.ts'
import { SeededRandom } from './seeded-random.ts'
import { isText } from './vectors.ts'

export interface NoisyValue {
  readonly type: CheckType
  readonly slip: string
  readonly value: string
  /** What the value should have been; null when it is something else altogether. */
  readonly meant: string | null
  /** True when what was meant cannot be told from the value. */
  readonly isLost: boolean
}

interface Slip {
  readonly name: string
  readonly weight: number
  readonly types: readonly CheckType[]
  /** True when what was meant cannot be told from the value. */
  readonly isLost?: boolean
  /** What arrives; undefined or the same value when the slip does not apply. */
  readonly slip: (value: string, random: SeededRandom, type: CheckType) => string | undefined
}

const NUMBERS = CHECK_TYPES.filter((type) => !isText(type))
const POLISH: readonly CheckType[] = ['pl-nip', 'pl-regon', 'pl-pesel']
const LETTERED: readonly CheckType[] = ['iban', 'eu-vat']
const EMAIL: readonly CheckType[] = ['email']
const DIGITS = '0123456789'
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
/** The signs and the letters on and below the keys 0 to 9 of an American keyboard. */
const SHIFTED = ')!@#$%^&*('
const BELOW = ['OP', 'Q', 'QW', 'WE', 'ER', 'RT', 'TY', 'YU', 'UI', 'IO']
/** Letters that are read or typed for digits; the frequent ones first and more than once. */
const LETTER_FOR = ['OOOOooDQ', 'IIlll', 'ZZz', '', '', 'SSs', 'Gb', '', 'B', 'g']
const DIGIT_FOR: Readonly<Record<string, string>> = { O: '0', I: '1', L: '1', Z: '2', S: '5', B: '8', G: '6' }
/** Digits that recognition takes for each other. */
const BLURRED = ['68', '7', '7', '8', '9', '6', '58', '1', '360', '4']
const FOREIGN: Readonly<Record<string, string>> = {
  ...{
    A: '\u0410',
    B: '\u0412',
    C: '\u0421',
    E: '\u0415',
    H: '\u041d',
    K: '\u041a',
    M: '\u041c',
    O: '\u041e',
  },
  ...{
    P: '\u0420',
    T: '\u0422',
    X: '\u0425',
    a: '\u0430',
    c: '\u0441',
    e: '\u0435',
    o: '\u043e',
    p: '\u0440',
  },
}
const LABELS: Readonly<Partial<Record<CheckType, readonly string[]>>> = {
  iban: ['IBAN: ', 'IBAN ', 'Iban:', 'Konto: ', 'Nr konta: ', 'Account no.: ', 'IBAN-Nr. '],
  'eu-vat': ['VAT: ', 'VAT ID ', 'VAT no. ', 'USt-IdNr. ', 'TVA : ', 'P.IVA ', 'BTW ', 'UID: ', 'Tax ID: '],
  'pl-nip': ['NIP: ', 'NIP ', 'NIP', 'nip:', 'Nr NIP: ', 'NIP nr ', 'Numer NIP: '],
  'pl-regon': ['REGON: ', 'REGON ', 'REGON', 'regon:', 'Nr REGON ', 'Numer REGON: '],
  'pl-pesel': ['PESEL: ', 'PESEL ', 'PESEL', 'pesel:', 'Nr PESEL: ', 'Numer PESEL '],
  email: ['mailto:', 'E-mail: ', 'Email: ', 'e-mail ', 'mail: ', 'adres e-mail: '],
}

const OTHER = 'another number'

const splice = (value: string, at: number, gone: number, text = '') =>
  value.slice(0, at) + text + value.slice(at + gone)

/** A place of the value whose character matches. */
function place(value: string, random: SeededRandom, which: RegExp): number {
  const places = [...value].flatMap((sign, at) => (which.test(sign) ? [at] : []))
  return places.length === 0 ? -1 : random.pick(places)
}

/** Replaces the character at a place that matches by what is made of it. */
function replaced(
  which: RegExp,
  made: (sign: string, random: SeededRandom) => string | undefined,
): Slip['slip'] {
  return (value, random) => {
    const at = place(value, random, which)
    const other = at < 0 ? undefined : made(value.charAt(at), random)
    return other === undefined ? undefined : splice(value, at, 1, other)
  }
}

const oneOf = (choices: string, random: SeededRandom) => (choices === '' ? undefined : random.pick(choices))
const wrongCharacter = replaced(/[0-9A-Z]/, (sign, random) => {
  if (/[A-Z]/.test(sign)) return random.pick(LETTERS.replace(sign, ''))
  const near = Number(sign) + (random.int(2) === 0 ? 1 : -1)
  return random.int(2) === 0 && near >= 0 && near <= 9 ? String(near) : random.pick(DIGITS.replace(sign, ''))
})
const swapped: Slip['slip'] = (value, random) => {
  const at = random.int(value.length - 1)
  return splice(value, at, 2, value.charAt(at + 1) + value.charAt(at))
}
const leftOut: Slip['slip'] = (value, random) => splice(value, random.int(value.length), 1)
const doubled: Slip['slip'] = (value, random) => {
  const at = random.int(value.length)
  return splice(value, at, 0, value.charAt(at))
}
const inserted: Slip['slip'] = (value, random) =>
  splice(value, random.int(value.length + 1), 0, random.pick(DIGITS))
const SINGLE = [wrongCharacter, wrongCharacter, wrongCharacter, swapped, leftOut, doubled, inserted]

function twinOrJump(value: string, random: SeededRandom): string | undefined {
  const places = [...value].flatMap((_, at) => (/^(\d)\1|^\d.\d/.test(value.slice(at)) ? [at] : []))
  if (places.length === 0) return undefined
  const at = random.pick(places)
  const [a, b, c] = [value.charAt(at), value.charAt(at + 1), value.charAt(at + 2)]
  return a === b ? splice(value, at, 2, random.pick(DIGITS).repeat(2)) : splice(value, at, 3, c + b + a)
}

const BEHIND: Readonly<Record<string, readonly string[]>> = {
  iban: [
    ' EUR',
    ' PLN',
    ' COBADEFFXXX',
    ' / BIC: WBKPPLPP',
    ', BIC INGBPLPW',
    ' Jan Kowalski',
    ' (EUR)',
    ';',
    ' Acme GmbH',
  ],
  number: [' (GUS)', ',', ';', ' Acme', ' - Jan Kowalski', ' r.'],
}

const around =
  (pairs: readonly string[]): Slip['slip'] =>
  (value, random) => {
    const [open, close] = random.pick(pairs).split(' ')
    return open + value + close
  }

const SLIPS: readonly Slip[] = [
  { name: 'a wrong character', weight: 160, types: NUMBERS, slip: wrongCharacter },
  { name: 'two neighbours swapped', weight: 35, types: NUMBERS, slip: swapped },
  { name: 'a character left out', weight: 25, types: NUMBERS, slip: leftOut },
  { name: 'a character doubled', weight: 15, types: NUMBERS, slip: doubled },
  { name: 'a digit added', weight: 8, types: NUMBERS, slip: inserted },
  { name: 'twins or jump', weight: 8, types: NUMBERS, slip: twinOrJump },
  {
    name: 'a sign of the same key',
    weight: 8,
    types: NUMBERS,
    slip: replaced(/\d/, (sign) => SHIFTED.charAt(Number(sign))),
  },
  {
    name: 'a letter of the next key',
    weight: 8,
    types: NUMBERS,
    slip: replaced(/\d/, (sign, random) => random.pick(BELOW[Number(sign)]!)),
  },
  {
    name: 'two mistakes',
    weight: 18,
    types: NUMBERS,
    slip: (value, random, type) => {
      const first = random.pick(SINGLE)(value, random, type)
      return first && random.pick(SINGLE)(first, random, type)
    },
  },
  {
    name: 'a letter for a digit',
    weight: 130,
    types: NUMBERS,
    slip: replaced(/\d/, (sign, random) => oneOf(LETTER_FOR[Number(sign)]!, random)),
  },
  {
    name: 'every zero an O',
    weight: 25,
    types: POLISH,
    slip: (value) => value.replaceAll('0', 'O'),
  },
  {
    name: 'a digit for a letter',
    weight: 30,
    types: LETTERED,
    slip: replaced(/[A-Z]/, (sign) => DIGIT_FOR[sign]),
  },
  {
    name: 'a digit for a digit',
    weight: 45,
    types: NUMBERS,
    slip: replaced(/\d/, (sign, random) => oneOf(BLURRED[Number(sign)]!, random)),
  },
  {
    name: 'a label in front',
    weight: 90,
    types: CHECK_TYPES,
    slip: (value, random, type) => random.pick(LABELS[type] ?? ['No. ']) + value,
  },
  {
    name: 'text behind',
    weight: 50,
    types: ['iban'],
    slip: (value, random) => value + random.pick(BEHIND.iban!),
  },
  {
    name: 'text behind',
    weight: 30,
    types: ['eu-vat', ...POLISH],
    slip: (value, random) => value + random.pick(BEHIND.number!),
  },
  {
    name: 'words in front',
    weight: 15,
    types: NUMBERS,
    // In front of another number than an IBAN, the word for an account makes it one.
    slip: (value, random, type) =>
      random.pick(['Jan Kowalski ', 'EUR ', 'Acme GmbH, ', type === 'iban' ? 'Account ' : 'Firma ']) + value,
  },
  {
    name: 'shown as a float',
    weight: 15,
    types: POLISH,
    slip: (value, random) => value + random.pick(['.0', ',0', ',00']),
  },
  {
    name: 'quotes or brackets',
    weight: 60,
    types: NUMBERS,
    slip: around(['" "', "' '", '\u201e \u201d', '\u00ab \u00bb', '( )', '< >', '[ ]']),
  },
  {
    name: 'a sign in front or behind',
    weight: 30,
    types: NUMBERS,
    slip: (value, random) =>
      random.int(2) === 0 ? random.pick("'#=:") + value : value + random.pick(',;:|"'),
  },
  {
    name: 'other separators',
    weight: 60,
    types: NUMBERS,
    slip: (value, random) => value.replace(/(...)(?=.)/g, `$1${random.pick('/_,:\u2014')}`),
  },
  {
    name: 'an invisible character',
    weight: 40,
    types: NUMBERS,
    slip: (value, random) =>
      splice(value, random.int(value.length), 0, random.pick('\u200b\u00ad\u200e\u2060')),
  },
  {
    name: 'digits of another script',
    weight: 25,
    types: NUMBERS,
    slip: (value, random) => inScript(value, random.pick([0xff10, 0x660, 0x966])),
  },
  {
    name: 'letters of another script',
    weight: 40,
    types: LETTERED,
    slip: replaced(/[A-Z]/, (sign) => FOREIGN[sign]),
  },
  {
    name: 'zeros lost',
    weight: 250,
    types: [...POLISH, 'eu-vat'],
    slip: (value) => value.replace(/^((?:IT|EL|PT|HU|RO)?)0+/, '$1'),
  },
  {
    name: 'two values',
    weight: 25,
    types: NUMBERS,
    isLost: true,
    slip: (value, random, type) => {
      const other = meantValue(type, random)
      return other === value ? undefined : value + random.pick([', ', ';', ' / ', ' ', '\n', ' i ']) + other
    },
  },
  {
    name: 'Markdown around it',
    weight: 20,
    types: CHECK_TYPES,
    slip: around(['** **', '* *', '` `', '__ __', '``` ```', '~~ ~~']),
  },
  {
    name: 'the prefix twice',
    weight: 10,
    types: LETTERED,
    slip: (value) => value.slice(0, 2) + value,
  },
  {
    name: 'a Peppol scheme in front',
    weight: 15,
    types: ['eu-vat'],
    slip: (value, random) => random.pick(['9930:', '0208:', '9944:', '9957:']) + value,
  },
  {
    name: 'written as a power of ten',
    weight: 15,
    types: POLISH,
    slip: (value) =>
      /^[1-9]\d*[1-9]$/.test(value) ? `${value.charAt(0)}.${value.slice(1)}E${value.length - 1}` : undefined,
  },
  {
    name: 'a word for nothing',
    weight: 15,
    types: CHECK_TYPES,
    isLost: true,
    slip: (_, random) => random.pick(['brak', 'n/a', '-', 'kein', 'none', 'NULL', '?']),
  },
  { name: 'prefix left out', weight: 50, types: LETTERED, slip: (value) => value.slice(2) },
  {
    name: 'a national account number',
    weight: 40,
    types: ['iban'],
    slip: (value) => (/^..\d{16,}$/.test(value) ? value.slice(4) : undefined),
  },
  {
    name: 'an everyday prefix',
    weight: 60,
    types: LETTERED,
    slip: (value) =>
      value
        .replace(/^GB/, 'UK')
        .replace(/^EL/, 'GR')
        .replace(/^GR(?=.{25}$)/, 'EL'),
  },
  { name: 'an old or domestic form', weight: 100, types: ['eu-vat'], slip: domesticForm },
  {
    name: 'masked',
    weight: 20,
    types: NUMBERS,
    isLost: true,
    slip: (value, random) =>
      value.slice(0, 2) + random.pick('*X\u2022#').repeat(value.length - 4) + value.slice(-2),
  },
  {
    name: 'cut off',
    weight: 20,
    types: NUMBERS,
    isLost: true,
    slip: (value, random) => value.slice(0, -1 - random.int(4)),
  },
  {
    name: 'shown in scientific notation',
    weight: 15,
    types: NUMBERS,
    isLost: true,
    slip: (value) => (/^\d+$/.test(value) ? Number(value).toExponential(2).replace('e', 'E') : undefined),
  },
  {
    name: OTHER,
    weight: 40,
    types: NUMBERS,
    isLost: true,
    slip: (_, random, type) => anotherNumber(type, random),
  },

  {
    name: 'a label in front',
    weight: 30,
    types: EMAIL,
    slip: (value, random) => `${random.pick(['Kontakt: ', 'To: ', 'mailto:'])}${value}`,
  },
  {
    name: 'quotes around',
    weight: 60,
    types: EMAIL,
    slip: around(["' '", '" "', '\u2018 \u2019', '\u201e \u201d', '\u201c \u201d', '` `', '* *', '_ _']),
  },
  { name: 'brackets around', weight: 60, types: EMAIL, slip: around(['< >', '( )', '[ ]']) },
  { name: 'a name beside it', weight: 90, types: EMAIL, slip: (value) => `Jan Kowalski <${value}>` },
  {
    name: 'a sign behind',
    weight: 80,
    types: EMAIL,
    slip: (value, random) => value + random.pick('.,;:)>!'),
  },
  {
    name: 'text behind',
    weight: 40,
    types: EMAIL,
    slip: (value, random) =>
      value + random.pick([' (praca)', ' - Jan', ', tel. 600100200', ' Jan Kowalski', ' |', ';;', ',""']),
  },
  {
    name: 'digits of another script',
    weight: 15,
    types: EMAIL,
    slip: (value, random) => (/\d/.test(value) ? inScript(value, random.pick([0xff10, 0x660])) : undefined),
  },
  {
    name: 'cut off before the ending',
    weight: 15,
    types: EMAIL,
    // Behind a longer name, "firma.com." for "firma.com.pl" is not told from an address at the end of a sentence.
    slip: (value) => (/@[^.]*\.[^.]*$/.test(value) ? value.replace(/[^.]*$/, '') : undefined),
  },
  {
    name: 'a comma or foreign full stop for a dot',
    weight: 70,
    types: EMAIL,
    slip: (value, random) => value.replace(/\.(?=[^.@]*$)/, random.pick(',\u3002\uff0e\uff61')),
  },
  {
    name: 'a dot twice',
    weight: 60,
    types: EMAIL,
    slip: (value, random) => splice(value, place(value, random, /\./), 0, '.'),
  },
  {
    name: 'a space inside',
    weight: 60,
    types: EMAIL,
    slip: (value, random) => splice(value, value.indexOf('@') + random.int(2), 0, ' '),
  },
  { name: 'a space for a dot', weight: 20, types: EMAIL, slip: replaced(/\./, () => ' ') },
  {
    name: 'an invisible character',
    weight: 60,
    types: EMAIL,
    slip: (value, random) => splice(value, random.int(value.length), 0, random.pick('\u200b\u00ad\u200e')),
  },
  {
    name: 'a letter of another script',
    weight: 80,
    types: EMAIL,
    slip: replaced(/[aceop]/, (sign) => FOREIGN[sign]),
  },
  { name: 'a full-width at sign', weight: 30, types: EMAIL, slip: (value) => value.replace('@', '\uff20') },
  { name: 'two at signs', weight: 40, types: EMAIL, slip: (value) => value.replace('@', '@@') },
  {
    name: 'no at sign',
    weight: 60,
    types: EMAIL,
    slip: (value, random) => value.replace('@', random.pick(['', '2', ' ', '(at)', '[at]'])),
  },
  { name: 'no ending', weight: 40, types: EMAIL, slip: (value) => value.replace(/\.[^.@]*$/, '') },
  {
    name: 'no dot in the domain',
    weight: 25,
    types: EMAIL,
    slip: (value) => value.replace(/\.(?=[^.@]*$)/, ''),
  },
  {
    name: 'a letter with an accent',
    weight: 40,
    types: EMAIL,
    slip: (value) =>
      value.replace(/[loenz](?=[^@]*@)/, (sign) => '\u0142\u00f3\u0119\u0144\u017c'['loenz'.indexOf(sign)]!),
  },
  {
    name: 'a mistyped domain',
    weight: 60,
    types: EMAIL,
    slip: (value, random) => mistypedDomain(value, random),
  },
  {
    name: 'masked',
    weight: 20,
    types: EMAIL,
    isLost: true,
    slip: (value) => value.replace(/^[^@]*/, '\u2022\u2022\u2022'),
  },
  {
    name: 'two addresses',
    weight: 40,
    types: EMAIL,
    isLost: true,
    slip: (value, random) => `${value}${random.pick([', ', ';', ' '])}biuro@firma.pl`,
  },
]

function inScript(value: string, zero: number): string {
  return value.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
}

function mistypedDomain(value: string, random: SeededRandom): string {
  const at = value.indexOf('@') + 1
  const domain = value.slice(at)
  const change = random.pick([swapped, leftOut, doubled])
  return value.slice(0, at) + change(domain, random, 'email')
}

function domesticForm(value: string, random: SeededRandom): string | undefined {
  const rest = value.slice(2)
  switch (value.slice(0, 2)) {
    case 'AT':
      return `AT${rest.slice(1)}`
    case 'BE':
      return rest.startsWith('0') ? `BE${rest.slice(1)}` : undefined
    case 'CZ':
      return rest.length > 8 ? `CZ${rest.slice(0, 6)}/${rest.slice(6)}` : undefined
    case 'FR':
      return random.int(2) === 0 ? `FR${rest.slice(2)}` : `FR${siret(rest.slice(2), random)}`
    case 'HU':
      return `${value}-1-42`
    case 'NL':
      return rest.startsWith('0') ? `NL${rest.slice(1)}` : undefined
    case 'SE':
      return rest.endsWith('01') ? value.slice(0, -2) : undefined
    default:
      return undefined
  }
}

/** The number of an establishment: the SIREN, four digits and a Luhn check digit. */
function siret(siren: string, random: SeededRandom): string {
  const digits = siren + random.text(DIGITS, 4)
  const sum = [...digits].reduce((total, digit, at) => {
    const double = Number(digit) * (at % 2 === 0 ? 1 : 2)
    return total + (double > 9 ? double - 9 : double)
  }, 0)
  return digits + ((10 - (sum % 10)) % 10)
}

/** Countries outside the registry whose banks use the same arithmetic. */
const UNOFFICIAL = ['DZ', 'AO', 'CI', 'SN', 'MA', 'CM']

function anotherNumber(type: CheckType, random: SeededRandom): string {
  const seed = random.int(1 << 30)
  const digits = (count: number) => random.text(DIGITS, count)
  if (type === 'eu-vat' && random.int(2) === 0)
    return random.pick([
      `GB${digits(9)}`,
      `EU${digits(9)}`,
      `IM${digits(10)}`,
      `CHE${digits(9)}`,
      `NO${digits(9)}MVA`,
    ])
  if (type === 'iban' && random.int(3) === 0) {
    const [country, bban] = [random.pick(UNOFFICIAL), digits(22)]
    return country + ibanCheckDigits(country, bban) + bban
  }
  const others: Readonly<Record<string, () => string>> = {
    KRS: () => `0000${random.text(DIGITS, 6)}`,
    phone: () => `48${random.text(DIGITS, 9)}`,
    'eu-vat': () => meantValue('eu-vat', random),
    iban: () => meantValue('iban', random),
    // A NIP is a VAT number without its prefix.
    ...(type === 'eu-vat' ? {} : { 'pl-nip': () => validNip(seed) }),
    'pl-regon': () => validRegon(seed),
    'pl-pesel': () => meantValue('pl-pesel', random),
    EAN: () => `590${random.text(DIGITS, 10)}`,
    account: () => random.text(DIGITS, 10 + random.int(3)),
  }
  return others[random.pick(Object.keys(others).filter((each) => each !== type))]!()
}

const FIRST = [
  'jan',
  'anna',
  'piotr.nowak',
  'maria.kowalska',
  'k.zielinski',
  'biuro',
  'office',
  'sales+eu',
  'j_smith',
]
const HOSTS = [
  'gmail.com',
  'wp.pl',
  'onet.pl',
  'o2.pl',
  'interia.pl',
  'outlook.com',
  'icloud.com',
  'firma.com.pl',
  'mail.example.com',
  'acme-shop.de',
  'poczta.onet.pl',
  'beispiel.at',
  'yahoo.com',
  'hotmail.com',
]

/** A value as it is issued: national check digits fit, and zeros in front are as frequent as in the registers. */
function meantValue(type: CheckType, random: SeededRandom): string {
  const seed = () => 1 + random.int(1 << 30)
  const until = (make: () => string, isIssued: (value: string) => boolean): string => {
    for (;;) {
      const value = make()
      if (isIssued(value)) return value
    }
  }
  switch (type) {
    case 'iban': {
      const country = random.pick(IBAN_REGISTRY)[0]
      return until(
        () => validIban(country, seed()),
        (iban) => ibanNationalCheck(country, iban.slice(4)) !== 'failed',
      )
    }
    case 'eu-vat': {
      const state = MEMBER_STATES.get(random.pick([...MEMBER_STATES.keys()]))!
      const zero = ['IT', 'BE', 'EL'].includes(state.prefix) ? /^..0/ : /^/
      return until(
        () => validEuVat(state.prefix, seed()),
        (vat) => state.national.passes(vat.slice(2)) && (zero.test(vat) || random.int(8) === 0),
      )
    }
    case 'pl-nip':
      return until(
        () => validNip(seed()),
        (nip) => /^[1-9](?!00)/.test(nip),
      )
    case 'pl-regon':
      return random.int(5) > 0 ? validRegon(seed()) : zeroRegon(random)
    case 'pl-pesel':
      return until(
        () => validPesel(seed()),
        (pesel) => /^(?:[3-9].[01]|[01].[23])/.test(pesel),
      )
    case 'email':
      return `${random.pick(FIRST)}${random.int(2) === 0 ? random.int(100) : ''}@${random.pick(HOSTS)}`
    default:
      return validValue(type, seed())
  }
}

/** REGONs of Warsaw and Lower Silesia start with 01 and 02, those from before 1990 with 00, of central offices with 000. */
function zeroRegon(random: SeededRandom): string {
  const weights = [8, 9, 2, 3, 4, 5, 6, 7]
  const start = random.pick(['01', '02', '00', '000'])
  const first = start + random.text(DIGITS, 8 - start.length)
  const sum = weights.reduce((total, weight, at) => total + weight * Number(first[at]), 0)
  return first + ((sum % 11) % 10)
}

/** Mistakes of one type; the same seed gives the same ones. */
export function noisyValues(type: CheckType, count: number, seed: number): readonly NoisyValue[] {
  const random = new SeededRandom(seed)
  const slips = SLIPS.filter(({ types }) => types.includes(type))
  const total = slips.reduce((sum, { weight }) => sum + weight, 0)
  const issued = Array.from({ length: 800 }, () => meantValue(type, random))
  const values: NoisyValue[] = []
  while (values.length < count) {
    let left = random.int(total)
    const { name, slip, isLost } = slips.find(({ weight }) => {
      left -= weight
      return left < 0
    })!
    const meant = random.pick(issued)
    const value = slip(meant, random, type)
    if (value === undefined || value === meant) continue
    values.push({ type, slip: name, value, meant: name === OTHER ? null : meant, isLost: isLost === true })
  }
  return values
}
