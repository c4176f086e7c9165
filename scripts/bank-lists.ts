/**
 * Writes the list of banks of a country into `packages/checks/src/iban/bank-lists.generated.json`:
 *
 *   node scripts/bank-lists.ts DE FILE 2026-07-02
 *
 * FILE is the official file of the source below, or a CSV with the columns bank_code, name and bic; the day is that of its
 * edition, or of the download. The readers of official files were tried on small files in their documented layout, and not yet
 * run on the real ones. The same file gives the same bytes.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { BANK_LISTS, type Bank, type BankList } from '../packages/checks/src/iban/bank-lists.ts'
import { HEAD, ibanCountry } from '../packages/checks/src/iban/countries.ts'

interface Row {
  readonly code: string
  readonly name: string
  readonly bic: string
}

interface BankSource extends Pick<BankList, 'source' | 'tells' | 'warns'> {
  readonly url: string
  readonly read: (file: Buffer) => readonly Row[]
}

const DATA = new URL('../packages/checks/src/iban/bank-lists.generated.json', import.meta.url)

const decoded = (file: Buffer, encoding: string) =>
  new TextDecoder(encoding, { fatal: true }).decode(file).replaceAll('\r\n', '\n')

/** Rows of a text with semicolons, by the names in the row that has the first of them; throws if a name is missing. */
function table(text: string, ...names: readonly string[]): readonly (readonly string[])[] {
  const rows: readonly (readonly string[])[] = parse(text, {
    delimiter: ';',
    bom: true,
    relax_column_count: true,
    skip_empty_lines: true,
    trim: true,
  })
  const head = rows.findIndex((row) => row.includes(names[0] ?? ''))
  const places = names.map((name) => rows[head]?.indexOf(name) ?? -1)
  if (places.includes(-1)) throw new Error(`the file has not the columns ${names.join(', ')}`)
  return rows.slice(head + 1).map((row) => places.map((place) => row[place] ?? ''))
}

/** Fixed places of a line, by the record description of the Bundesbank; "1" marks the main entry of a code. */
const readGerman = (file: Buffer): readonly Row[] =>
  decoded(file, 'latin1')
    .split('\n')
    .filter((line) => line.charAt(8) === '1')
    .map((line) => ({ code: line.slice(0, 8), name: line.slice(9, 67), bic: line.slice(139, 150) }))

const readAustrian = (file: Buffer): readonly Row[] =>
  table(decoded(file, 'latin1'), 'Bankleitzahl', 'Bankenname', 'SWIFT-Code').map(
    ([code = '', name = '', bic = '']) => ({ code, name, bic }),
  )

/** An entry that was taken over has only its own number and that of its successor. */
function readSwiss(isOurs: (country: string) => boolean): (file: Buffer) => readonly Row[] {
  return (file) => {
    const columns = ['IID/QR-IID', 'New IID/QR-IID', 'Name of bank/institution', 'Country', 'BIC']
    const rows = table(decoded(file, 'utf-8'), ...columns)
    const own = new Map(rows.map((row) => [row[0] ?? '', row]))
    return rows.flatMap(([code = '', successor = '']) => {
      const [, , name = '', country = '', bic = ''] = own.get(successor) ?? own.get(code) ?? []
      return name !== '' && isOurs(country) ? [{ code, name, bic }] : []
    })
  }
}

/** Code page 852, which no decoder of Node knows; its other letters do not occur in Polish. */
const POLISH: ReadonlyMap<number, string> = new Map(
  [...'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ'].map((letter, at) => [
    Buffer.from('a586a988e4a298abbea48fa89de3e0978dbd', 'hex')[at]!,
    letter,
  ]),
)

const readPolish = (file: Buffer): readonly Row[] =>
  Array.from(file, (byte) => {
    const letter = byte < 0x80 ? String.fromCharCode(byte) : POLISH.get(byte)
    if (letter === undefined) throw new Error(`the file has the byte ${byte}, which is no Polish letter`)
    return letter
  })
    .join('')
    .split('\n')
    .map((line) => line.split('\t'))
    .filter(({ length }) => length > 19)
    .map((cells) => ({ code: cells[4] ?? '', name: cells[1] ?? '', bic: cells[19] ?? '' }))

const readThreeColumns =
  (encoding: string) =>
  (file: Buffer): readonly Row[] =>
    (
      parse(decoded(file, encoding), {
        delimiter: ';',
        bom: true,
        from: 2,
        relax_column_count: true,
      }) as string[][]
    ).map(([code = '', name = '', bic = '']) => ({ code, name, bic }))

/** A list whose reader has not seen a file with all entries that are still in use must not tell that a code is unlisted. */
export const BANK_SOURCES: Readonly<Record<string, BankSource>> = {
  AT: {
    source: 'Oesterreichische Nationalbank, SEPA-Zahlungsverkehrs-Verzeichnis',
    url: 'https://www.oenb.at/docroot/downloads_observ/sepa-zv-vz_gesamt.csv',
    tells: true,
    warns: true,
    read: readAustrian,
  },
  CH: {
    source: 'SIX, Bank Master',
    url: 'https://api.six-group.com/api/epcd/bankmaster/v3/bankmaster_V3.csv',
    tells: false,
    warns: false,
    read: readSwiss((country) => country !== 'LI'),
  },
  CZ: {
    source: 'Česká národní banka, Kódy platebního styku',
    url: 'https://www.cnb.cz/cs/platebni-styk/.galleries/ucty_kody_bank/download/kody_bank_CR.csv',
    tells: true,
    warns: false,
    read: readThreeColumns('utf-8'),
  },
  DE: {
    source: 'Deutsche Bundesbank, Bankleitzahlendatei',
    url: 'https://www.bundesbank.de/de/aufgaben/unbarer-zahlungsverkehr/serviceangebot/bankleitzahlen',
    tells: true,
    warns: true,
    read: readGerman,
  },
  LI: {
    source: 'SIX, Bank Master',
    url: 'https://api.six-group.com/api/epcd/bankmaster/v3/bankmaster_V3.csv',
    tells: false,
    warns: false,
    read: readSwiss((country) => country === 'LI'),
  },
  PL: {
    source: 'Narodowy Bank Polski, Ewidencja Numerów Rozliczeniowych (EWIB)',
    url: 'https://ewib.nbp.pl/plewibnra?dokNazwa=plewibnra.txt',
    tells: true,
    warns: false,
    read: readPolish,
  },
  SK: {
    source: 'Národná banka Slovenska, Directory IC DPS SR',
    url: 'https://www.nbs.sk/_img/Documents/_PlatobneSystemy/EUROSIPS/Directory_IC_DPS_SR.csv',
    tells: false,
    warns: false,
    read: readThreeColumns('windows-1250'),
  },
}

const BIC = /^[A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/

/** The banks of a file by code, in the order of the codes; throws for a code or BIC out of form, and for a file without any. */
export function readBankFile(country: string, file: Buffer): ReadonlyMap<string, Bank> {
  const source = BANK_SOURCES[country]
  if (source === undefined) throw new Error(`the country is one of ${Object.keys(BANK_SOURCES).join(', ')}`)
  const isCsv = /^(?:\ufeff)?bank_code,name,bic\r?\n/.test(file.toString('utf8', 0, 40))
  const rows: readonly Row[] = isCsv
    ? (parse(file, { bom: true, columns: ['code', 'name', 'bic'], from: 2 }) as Row[])
    : source.read(file)
  const digits = codeEnd(country) - HEAD
  const banks = new Map<string, Bank>()
  for (const row of rows) {
    const code = row.code.trim().padStart(digits, '0')
    const [name, bic] = [row.name.replace(/\s+/g, ' ').trim(), row.bic.trim().toUpperCase()]
    if (code.length !== digits || /\D/.test(code) || name === '') throw new Error(`"${code}" is no bank code`)
    if (bic !== '' && !BIC.test(bic)) throw new Error(`"${bic}" of ${code} is no BIC`)
    if (!banks.has(code)) banks.set(code, bic === '' ? { name } : { name, bic })
  }
  if (banks.size === 0) throw new Error('the file has no banks')
  return new Map([...banks].sort(([one], [other]) => (one < other ? -1 : 1)))
}

/** A bank code stands behind the check digits, in all of these countries. */
const codeEnd = (country: string): number => ibanCountry(country)!.segments[0]!.end

/** The text that `readBanks` reads. */
export function writeBanks(banks: ReadonlyMap<string, Bank>): string {
  const names = new Map<string, Map<string, string[]>>()
  for (const [code, { name, bic = '' }] of banks) {
    const bics = names.get(name) ?? new Map<string, string[]>()
    names.set(name, bics.set(bic, [...(bics.get(bic) ?? []), code]))
  }
  return Array.from(names, ([name, bics]) =>
    [name, ...Array.from(bics, ([bic, codes]) => `${bic} ${shortened(codes).join(' ')}`)].join('\t'),
  ).join('\n')
}

/** Each code without what it has in common with the one before. */
const shortened = (codes: readonly string[]): readonly string[] =>
  codes.map((code, at) => {
    const before = codes[at - 1] ?? ''
    const same = [...code].findIndex((digit, place) => digit !== before.charAt(place))
    return code.slice(same)
  })

/** A line for each country. */
export const fileOf = (lists: Readonly<Record<string, BankList>>): string =>
  `{\n${Object.entries(lists)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([country, list]) => `${JSON.stringify(country)}: ${JSON.stringify(list)}`)
    .join(',\n')}\n}\n`

/** Countries whose list warns and is older than twelve months on a day: a release must not carry them. */
export const tooOld = (day: string, lists = BANK_LISTS): readonly string[] => {
  const oldest = `${Number(day.slice(0, 4)) - 1}${day.slice(4)}`
  return Object.keys(lists).filter((country) => lists[country]!.warns && lists[country]!.asOf < oldest)
}

if (import.meta.main) {
  const [country = '', file = '', asOf = ''] = process.argv.slice(2)
  if (!/^\d{4}-\d\d-\d\d$/.test(asOf)) throw new Error('name the country, the file and its day')
  const banks = writeBanks(readBankFile(country, readFileSync(file)))
  const { source, tells, warns } = BANK_SOURCES[country]!
  const lists = { ...BANK_LISTS, [country]: { source, asOf, tells, warns, banks } }
  writeFileSync(DATA, fileOf(lists))
  console.log(`${country}: ${banks.split('\n').length} names`)
}
