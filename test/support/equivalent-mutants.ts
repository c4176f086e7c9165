/** A mutant that no vector notices. */
export interface Survivor {
  /** Path of the module below `src/checks`. */
  readonly path: string
  /** The line that was changed, without its indentation. */
  readonly code: string
  /** "`before` → `after`". */
  readonly change: string
}

const SCAN = 'the scan has let only letters and digits through'
const LEAP = 'years of 00 to 99 are leap years in the same way before and after the other century'
const NO_MONTH = 'neither reading gives a month that exists'
const AFTER_END = 'nothing stands before the start or behind the end, and no rule accepts nothing'
const SHORT_CUT = 'a short cut: what follows says the same'
const NEGATIVE = 'any negative number means that the rule finds nothing'
const ROUND_TRIP = 'the label is encoded again and compared, which refuses it too'

/** Mutants that change no answer: the module, a part of the line, the change, and why it alters nothing. */
const REASONS: readonly (readonly [path: RegExp, code: string, change: RegExp, reason: string])[] = [
  [
    /^arithmetic\/calendar/,
    'month < 1 || month > 12',
    /`1` → `0`|`12` → `13`|`\|\|`/,
    'a month that the table does not have has no days',
  ],
  [/^arithmetic\/decimal/, 'digit < 0 || digit > 9', /`9` → `10`/, SCAN],
  [/^arithmetic\/luhn/, 'double > 9', /./, 'a double is even'],
  [/^arithmetic\/mod97/, 'NINE = 57', /`57` → `58`/, SCAN],
  [
    /^char-kind/,
    'PLUS_STAR = 0x1000',
    /4097/,
    'the bit of a value is asked for together with letters and digits alone',
  ],
  [/^char-kind/, 'new Uint16Array(0x10000)', /./, 'beyond the table stands nothing, as in it at U+FFFF'],
  [/^char-kind/, 'LOWER | (10 + letter)', /`10`/, 'values are read after upper-casing'],
  [/^character-class/, 'point < 0x20', /`<` → `<=`|`33`/, 'a space is never foreign'],
  [/^character-class/, 'point < 0x80', /`<` → `<=`|`129`|`127`/, 'U+007F and U+0080 are control characters'],
  [/^email\/address-chars/, 'new Uint8Array(0x80)', /./, 'neither U+007F nor U+0080 has a bit'],
  [/^email\/address-chars/, 'chars.fill', /`47`|`96`|`124`/, 'the list of signs overwrites it'],
  [/^email\/address-chars/, 'chars.fill', /`64`/, 'an address has one at sign, which is in neither part'],
  [/^email\/check-email/, "includes('xn--')", /`false`/, SHORT_CUT],
  [/^email\/check-email/, 'let dot =', /./, 'no valid domain starts with a dot or has two in a row'],
  [/^email\/check-email/, 'plus < at', /`<` → `<=`/, 'a plus sign is no at sign'],
  [/^email\/check-email/, 'start < value.length', /`<` → `<=`/, AFTER_END],
  [
    /^email\/domain/,
    'misfit',
    /`1` → `2`|`<` → `<=`|`0` → `1`/,
    'no domain starts before the third character, and any negative number means that nothing misfits',
  ],
  [/^email\/domain/, 'lastDot < from', /`<` → `<=`/, 'a domain with a dot in front is refused before'],
  [
    /^email\/failure/,
    "value.indexOf('@', at + 1) >= 0",
    /`>` |`>=` → `>`|`0` → `1`/,
    'a second at sign never stands first',
  ],
  [
    /^email\/failure/,
    'failure === undefined',
    /`false`/,
    'the failure that there is not is returned at the end, without a hint',
  ],
  [/^email\/failure/, 'position > at', /`>` → `>=`/, 'the at sign is no character outside ASCII'],
  [
    /^email\/failure/,
    'at < 0 ? ADDRESS',
    /./,
    'with the at sign in front, all that follows is in the domain',
  ],
  [/^email\/failure/, 'isAfterDot ? at - 1 : -1', /`1` → `2`/, NEGATIVE],
  [/^email\/mail-providers/, 'Math.abs', /./, SHORT_CUT],
  [/^email\/mail-providers/, 'head < one.length', /`<` → `<=`/, AFTER_END],
  [
    /^email\/mail-providers/,
    'const room',
    /./,
    'once the shorter text is used up, what is left differs by one character at most',
  ],
  [
    /^email\/mail-providers/,
    'tail < room',
    /./,
    'once the shorter text is used up, what is left differs by one character at most',
  ],
  [
    /^email\/punycode/,
    'INITIAL_BIAS = 72',
    /./,
    'the first thresholds lie at multiples of 36, where a bias of 71 to 73 clamps them alike',
  ],
  [/^email\/punycode/, 'MAX_POINT', /1114110|`>` → `>=`/, 'U+10FFFF is no letter'],
  [/^email\/punycode/, 'next > encoded.length', /./, ROUND_TRIP],
  [/^email\/punycode/, 'point < INITIAL_POINT', /./, 'U+0080 is no letter'],
  [
    /^(iban\/check-iban|eu-vat\/check-eu-vat|pl\/check-\w+)/,
    'rejected(',
    /`0` → `1`/,
    'the steps of a value refused for a foreign character are never shown',
  ],
  [/^eu-vat\/failure/, 'index < value.length', /`<` → `<=`/, 'called only when there is such a sign'],
  [/^eu-vat\/failure/, 'return -1', /./, 'called only when there is such a sign'],
  [
    /^(iban\/judge-iban|eu-vat\/format)/,
    'offset',
    /`0` → `1`|`<` → `<=`/,
    'the prefix has been matched, and no kind stands behind the end',
  ],
  [/^eu-vat\/states\/bg/, 'isCalendarDate', /`>` → `>=`|`40` → `39`|`20` → `19`/, NO_MONTH],
  [/^eu-vat\/states\/bg/, 'isCalendarDate', /`\+` → `-`/, LEAP],
  [/^eu-vat\/states\/cz/, 'month > ', /`>` → `>=`|`50` → `49`|`20` → `19`/, NO_MONTH],
  [
    /^eu-vat\/states\/cz/,
    'year < 54 ? 1900 : 1800',
    /`\+`|`<`|`54`/,
    'the leap years of 1800 to 1899 are those of 1900 to 1999',
  ],
  [/^eu-vat\/states\/ee/, 'const WEIGHTS', /`7`/, 'the second digit is always 0'],
  [/^eu-vat\/states\/fr/, 'LETTERS_FROM = 10', /`9`/, 'with 9 in front both readings of the key are equal'],
  [/^eu-vat\/states\/fr/, 'areDigits(national, 0, 2)', /`2` → `3`/, 'the third character is always a digit'],
  [
    /^eu-vat\/states\/ie/,
    'areDigits(national, 1, 2)',
    /./,
    'the characters beside the second are always digits',
  ],
  [/^eu-vat\/states\/ie/, 'national.length === 8', /./, 'an absent second letter counts 0'],
  [/^eu-vat\/states\/lv/, 'isCalendarDate', /`\+` → `-`/, LEAP],
  [
    /^eu-vat\/states\/nl/,
    'digits < 9',
    /`<` → `<=`|`9` → `10`/,
    'nine digits, a B and two digits are the whole number',
  ],
  [/^iban\/countries/, 'HEAD + 1', /`1` → `0`/, 'the first name is its own'],
  [/^iban\/countries/, 'end < length', /`<` → `<=`/, 'no name stands behind the end'],
  [/^iban\/countries/, "positions === ''", /`false`/, 'an empty range would lie before the BBAN'],
  [
    /^iban\/national\/rib-key/,
    'remainder * 10',
    /`\+` → `-`/,
    'the negative remainder is 0 when the positive one is',
  ],
  [
    /^iban\/registry/,
    "', '",
    /`\d` → `\d`/,
    'the next segment overwrites the position, or it lies behind the end; the transcription test holds bank positions',
  ],
  [/^iban\/suspects/, 'offset', /`<` → `<=`/, AFTER_END],
  [/^iban\/suspects/, 'areAllowed', /./, 'more candidates are looked at, and each is judged in full'],
  [
    /^iban\/suspects/,
    '=== ALPHANUMERIC)',
    /`true`/,
    'more candidates are looked at, and each is judged in full',
  ],
  [/^lookalikes/, 'firstLetter !== undefined', /./, 'no country or state starts with what comes out'],
  [/^lookalikes/, 'secondLetter !== undefined', /./, 'no country or state starts with what comes out'],
  [/^lookalikes/, "character <= 'Z'", /`&&`|`<=`/, 'no country or state starts with what comes out'],
  [/^mask/, 'length: 40', /./, 'no mask is that long'],
  [/^normalize/, 'length: 32', /./, 'no value has all steps'],
  [/^normalize/, 'while', /`<` → `<=`|`>` → `>=`/, AFTER_END],
  [/^normalize/, 'steps === 0', /`false`/, SHORT_CUT],
  [/^normalize/, 'const kept', /`&` → `\|`/, SHORT_CUT],
  [/^normalize/, 'kept.toUpperCase()', /`&` → `\|`|`0` → `1`/, SHORT_CUT],
  [/^pl\/check-nip/, 'index < end', /`<` → `<=`/, 'the character at the end is no letter'],
  [/^pl\/digit-count/, 'let zeros = 1', /`1` → `0`/, 'without zeros the count of digits is wrong'],
  [/^pl\/(pesel|regon)-digits/, '!areDigits', /`false`/, SCAN],
  [
    /^pl\/pesel-digits/,
    'CENTURIES',
    /`20` → `19`/,
    'only months that do not exist fall into another century',
  ],
  [/^result/, 'Object.assign', /`true`/, 'assigning nothing changes nothing'],
  [/^suspects/, 'index + 1 < weights.length', /./, AFTER_END],
]

/** Why a surviving mutant changes no answer; undefined when it could. */
export function reasonOf({ path, code, change }: Survivor): string | undefined {
  return REASONS.find(
    ([module, part, changes]) => module.test(path) && code.includes(part) && changes.test(change),
  )?.[3]
}
