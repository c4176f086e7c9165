/**
 * Bank codes with the names and BICs of the banks, by country.
 *
 * Sources: the directories of the central banks and of SIX, as `bank-lists.generated.json` names them with their day;
 * `scripts/bank-lists.ts` writes that file. Without the line of a country there, its banks are left out.
 */

import { decimal } from '../arithmetic/decimal.ts'
import lists from './bank-lists.generated.json' with { type: 'json' }
import type { BankFinding, FindBank } from './check-iban.ts'
import { HEAD } from './countries.ts'

export interface BankList {
  readonly source: string
  /** The day of the edition, or of the download if the edition has none. */
  readonly asOf: string
  /** Whether the list is whole enough to tell that a code is not in it. */
  readonly tells: boolean
  /** Whether such a code is warned of. */
  readonly warns: boolean
  /** A line for each name; behind it, each after a tab, its BICs with their codes. A code lacks what it shares with the one before. */
  readonly banks: string
}

export const BANK_LISTS: Readonly<Record<string, BankList>> = lists

export interface Bank {
  readonly name: string
  readonly bic?: string
}

export function readBanks({ banks }: Pick<BankList, 'banks'>): ReadonlyMap<string, Bank> {
  const digits = digitsIn(banks)
  return new Map(
    Array.from(placesIn(banks), ([code, place]) => [
      String(code).padStart(digits, '0'),
      bankAt(banks, place),
    ]),
  )
}

/** How many digits the codes have: the first one is written out. */
const digitsIn = (banks: string): number => /\t[A-Z0-9]* (\d+)/.exec(banks)?.[1]?.length ?? 0

/**
 * Where the group of each code starts, at its tab. Made of character codes, since the first IBAN of a country waits for it: a tenth
 * of the time that splitting takes.
 */
function placesIn(banks: string): Map<number, number> {
  const places = new Map<number, number>()
  let code = 0
  for (let group = banks.indexOf('\t'); group >= 0; ) {
    let at = banks.indexOf(' ', group)
    let [end, size, sign] = [0, 1, 0]
    do {
      at += 1
      sign = banks.charCodeAt(at)
      if (sign >= ZERO) {
        end = end * 10 + sign - ZERO
        size *= 10
      } else {
        code = code - (code % size) + end
        places.set(code, group)
        end = 0
        size = 1
      }
    } while (sign === BLANK || sign >= ZERO)
    group = sign === TAB ? at : banks.indexOf('\t', at)
  }
  return places
}

const [TAB, BLANK, ZERO] = [9, 32, 48]

function bankAt(banks: string, group: number): Bank {
  const line = banks.lastIndexOf('\n', group) + 1
  const name = banks.slice(line, banks.indexOf('\t', line))
  const bic = banks.slice(group + 1, banks.indexOf(' ', group))
  return Object.freeze(bic === '' ? { name } : { name, bic })
}

/** Finds the bank of an IBAN. Each list is read when its first IBAN comes. */
export function bankFinder(all = BANK_LISTS): FindBank {
  const open = new Map<string, (iban: string) => BankFinding>()
  return (iban, country) => {
    const list = all[country]
    if (list === undefined) return undefined
    let find = open.get(country)
    if (find === undefined) {
      find = finderIn(list)
      open.set(country, find)
    }
    return find(iban)
  }
}

function finderIn({ source, asOf, tells, warns, banks }: BankList): (iban: string) => BankFinding {
  const told = (result: 'listed' | 'unlisted') =>
    tells ? { bankCode: Object.freeze({ result, source, asOf }) } : {}
  const listed = told('listed')
  const unlisted: BankFinding = {
    facts: told('unlisted'),
    ...(tells && warns && { warning: 'bank_code_unknown' }),
  }
  const end = HEAD + digitsIn(banks)
  // A place becomes a finding when its code is asked for.
  const entries: Map<number, number | BankFinding> = placesIn(banks)
  return (iban) => {
    const code = decimal(iban, HEAD, end)
    const entry = entries.get(code)
    if (typeof entry === 'object') return entry
    if (entry === undefined) return unlisted
    const finding = { facts: { bank: bankAt(banks, entry), ...listed } }
    entries.set(code, finding)
    return finding
  }
}
