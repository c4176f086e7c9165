/**
 * Compares our tables with a downloaded file of their source:
 *
 *   node scripts/compare-sources.ts iban-registry FILE   SWIFT's TXT edition
 *   node scripts/compare-sources.ts vies FILE            question 11 of the VIES FAQ, as a browser saves the page
 *   node scripts/compare-sources.ts rfc-index FILE       https://www.rfc-editor.org/rfc-index.txt
 *   node scripts/compare-sources.ts banks-DE FILE        the list of bank codes of a country (scripts/bank-lists.ts)
 *
 * Prints one line per difference, the code first, and exits with 1 when there is one, with 2 when the file cannot be
 * read. `--record "release 104"` also writes the day and what was compared into `sources-compared.json`, from which
 * docs/correctness.md is made.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MEMBER_STATES } from '../packages/checks/src/eu-vat/member-states.ts'
import { BANK_LISTS, type BankList, readBanks } from '../packages/checks/src/iban/bank-lists.ts'
import { IBAN_REGISTRY } from '../packages/checks/src/iban/registry.ts'
import { readBankFile } from './bank-lists.ts'

/** What one side says of each country, prefix or RFC, by the name of the fact; "" where there is none. */
type Facts = ReadonlyMap<string, Readonly<Record<string, string>>>

interface Source {
  readonly ours: () => Facts
  /** Reads the file; throws if what it needs is missing. */
  readonly read: (text: string) => Facts
}

export interface Compared {
  readonly name: string
  readonly compared: string
  readonly with: string
  readonly differences: number
}

interface SourcesFile {
  readonly compared: Readonly<Record<string, Compared>>
  /** What the index said of each cited RFC when its changes were last looked at. */
  readonly rfcs: Readonly<Record<string, Readonly<Record<string, string>>>>
}

const DATA = new URL('sources-compared.json', import.meta.url)
const ROOT = join(import.meta.dirname, '..')

export const readSources = (): SourcesFile => JSON.parse(readFileSync(DATA, 'utf8'))

/** Our table has a branch from the national standard where the registry leaves it empty. */
const BRANCH_OF_OUR_OWN: ReadonlySet<string> = new Set(['FR', 'PT'])

const ibanRegistry: Source = {
  ours: () =>
    new Map(
      IBAN_REGISTRY.map(([code, , structure, bank, branch]) => [
        code,
        { structure, 'bank at': bank, 'branch at': branch },
      ]),
    ),
  read: (text) => {
    const rows = new Map(
      text.split(/\r?\n/).map((line) => {
        const [name = '', ...cells] = line.split('\t').map((cell) => cell.trim().replace(/^"|"$/g, ''))
        return [name.toLowerCase(), cells]
      }),
    )
    const row = (name: string) => {
      const cells = rows.get(name.toLowerCase())
      if (cells === undefined) throw new Error(`the file has no row "${name}"; is it the TXT edition?`)
      return cells
    }
    const codes = row('IBAN prefix country code (ISO 3166)')
    const structures = row('BBAN structure')
    const banks = row('Bank identifier position within the BBAN')
    const branches = row('Branch identifier position within the BBAN')
    return new Map(
      codes.flatMap((cell, column) => {
        if (!/^[A-Z]{2}/.test(cell)) return []
        const code = cell.slice(0, 2)
        const branch = withoutSpaces(branches[column]).replace(/^N\/A$/, '')
        const own = IBAN_REGISTRY.find(([each]) => each === code)?.[4] ?? ''
        return [
          [
            code,
            {
              structure: withoutSpaces(structures[column]),
              'bank at': withoutSpaces(banks[column]),
              'branch at': branch === '' && BRANCH_OF_OUR_OWN.has(code) ? own : branch,
            },
          ] as const,
        ]
      }),
    )
  },
}

/** Structures of the page that its own notes narrow down, and what our table has for them. */
const READINGS: Readonly<Record<string, readonly string[]>> = {
  // Note: the first and the last may be letters or digits, but not both digits.
  ESX9999999X: ['ESL99999999', 'ES99999999L', 'ESL9999999L'],
  // WI are letters in use, not a literal.
  IE9999999WI: ['IE9999999LL'],
  // Any twelve characters; only this shape has been issued.
  NLSSSSSSSSSSSS: ['NL999999999B99'],
  // "Minimum 2 digits and maximum 10 digits".
  RO999999999: Array.from({ length: 9 }, (_, index) => `RO${'9'.repeat(index + 2)}`),
}

const vies: Source = {
  ours: () =>
    new Map(
      Array.from(MEMBER_STATES, ([prefix, { formats }]) => [
        prefix,
        structuresOf(formats.map((format) => `${prefix}${format}`)),
      ]),
    ),
  read: (page) => {
    const facts = new Map(
      Array.from(page.matchAll(/<tr\b[^>]*>(.*?)<\/tr>/gis), ([, row = '']) =>
        Array.from(row.matchAll(/<t[dh]\b[^>]*>(.*?)<\/t[dh]>/gis), ([, cell = '']) => textOf(cell)),
      ).flatMap(([state = '', structures = '']) => {
        const prefix = /^([A-Z]{2})\s*-/.exec(state)?.[1]
        if (prefix === undefined) return []
        const printed = structures.split(/\bor\b/).map(withoutSpaces)
        return [[prefix, structuresOf(printed.flatMap((each) => READINGS[each] ?? [each]))] as const]
      }),
    )
    if (facts.size === 0)
      throw new Error('the page has no table of structures; was question 11 open when it was saved?')
    return facts
  },
}

const rfcIndex: Source = {
  ours: () => {
    const { rfcs } = readSources()
    return new Map(citedRfcs().map((number) => [`RFC${number}`, relations(rfcs[number] ?? {})]))
  },
  read: (text) => {
    const entries = new Map(
      text
        .split(/\n\s*\n/)
        .map((entry) => entry.replace(/\s+/g, ' ').trim())
        .flatMap((entry) =>
          /^\d{4,5} .*\(Status: /.test(entry) ? [[`RFC${Number.parseInt(entry, 10)}`, entry]] : [],
        ),
    )
    if (entries.size === 0) throw new Error('the file has no entries; is it rfc-index.txt?')
    const part = (entry: string, name: string) => new RegExp(`\\(${name}:? ([^)]+)\\)`).exec(entry)?.[1] ?? ''
    return new Map(
      citedRfcs().flatMap((number) => {
        const entry = entries.get(`RFC${number}`)
        if (entry === undefined) return []
        const facts = {
          status: part(entry, 'Status'),
          'obsoleted by': part(entry, 'Obsoleted by'),
          'updated by': part(entry, 'Updated by'),
        }
        return [[`RFC${number}`, relations(facts)] as const]
      }),
    )
  },
}

/** The numbers of the RFCs that the email check and its sources cite. */
function citedRfcs(): readonly string[] {
  const files = [...globSync('packages/checks/src/email/*.ts', { cwd: ROOT }), 'skills/email/skill.json']
  const cited = files.flatMap((file) =>
    Array.from(
      readFileSync(join(ROOT, file), 'utf8').matchAll(/\bRFC (\d{3,5})/g),
      ([, number = '']) => number,
    ),
  )
  return [...new Set(cited)].toSorted()
}

const relations = (facts: Readonly<Record<string, string>>) => ({
  status: facts.status ?? '',
  'obsoleted by': facts['obsoleted by'] ?? '',
  'updated by': facts['updated by'] ?? '',
})

const structuresOf = (structures: readonly string[]) => ({ structures: structures.toSorted().join(', ') })

/** The text of a cell; the numbers of notes stand in `sup`. */
const textOf = (cell: string): string =>
  cell
    .replace(/<sup\b.*?<\/sup>/gis, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&nbsp;|&#160;/g, ' ')
    .trim()

const withoutSpaces = (cell = ''): string => cell.replace(/\s+/g, '')

/** The codes alone: a bank that changes its name is no difference. */
const codesIn = (banks: ReadonlyMap<string, unknown>): Facts =>
  new Map(Array.from(banks.keys(), (code) => [code, {}]))

const banksOf = (country: string, list: BankList): Source => ({
  ours: () => codesIn(readBanks(list)),
  read: (text) => codesIn(readBankFile(country, Buffer.from(text, 'latin1'))),
})

const SOURCES: ReadonlyMap<string, Source> = new Map([
  ['iban-registry', ibanRegistry],
  ['vies', vies],
  ['rfc-index', rfcIndex],
  ...Object.entries(BANK_LISTS).map(
    ([country, list]) => [`banks-${country}`, banksOf(country, list)] as const,
  ),
])

/** One line per code that differs, or that only one side has. */
export function compareSource(name: string, text: () => string): readonly string[] {
  const source = SOURCES.get(name)
  if (source === undefined) throw new Error(`the source is one of ${[...SOURCES.keys()].join(', ')}`)
  const [ours, theirs] = [source.ours(), source.read(text())]
  return [
    ...[...theirs.keys()].filter((code) => !ours.has(code)).map((code) => `${code}: only in the file`),
    ...[...ours.keys()].filter((code) => !theirs.has(code)).map((code) => `${code}: only in our table`),
    ...Array.from(theirs, ([code, facts]) => differences(code, ours.get(code) ?? facts, facts)).flat(),
  ]
}

function differences(
  code: string,
  own: Readonly<Record<string, string>>,
  facts: Readonly<Record<string, string>>,
): readonly string[] {
  return Object.entries(facts).flatMap(([name, value]) =>
    own[name] === value
      ? []
      : [`${code}: ${name} ${own[name] || 'none'} in our table, ${value || 'none'} in the file`],
  )
}

if (import.meta.main) {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { record: { type: 'string' } },
    })
    const [name = '', file = ''] = positionals
    // The registry is in Latin-1, lists of banks are decoded again by their own readers, and what is read of the others is ASCII.
    const lines = compareSource(name, () => readFileSync(file, 'latin1'))
    for (const line of lines) console.log(line)
    console.log(`${lines.length} differences`)
    if (values.record !== undefined) {
      const sources = readSources()
      const compared = new Date().toISOString().slice(0, 10)
      const row = { ...sources.compared[name], compared, with: values.record, differences: lines.length }
      const written = { ...sources, compared: { ...sources.compared, [name]: row } }
      writeFileSync(DATA, `${JSON.stringify(written, null, 2)}\n`)
    }
    process.exitCode = lines.length === 0 ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'the file cannot be read')
    process.exitCode = 2
  }
}
