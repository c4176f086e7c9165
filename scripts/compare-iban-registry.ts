/**
 * Compares our IBAN table with a registry file of SWIFT: `node scripts/compare-iban-registry.ts FILE`.
 *
 * FILE is the TXT edition: tab-separated, one column per country, one row per data element. Prints one line per
 * difference and exits with 1 when there is one, with 2 when the file cannot be read.
 */
import { readFileSync } from 'node:fs'
import { IBAN_REGISTRY, IBAN_RELEASE } from '../src/checks/iban/registry.ts'

/** One country as both sides describe it. */
export interface RegistryEntry {
  readonly code: string
  readonly structure: string
  readonly bank: string
  /** Empty when the country has none. */
  readonly branch: string
}

const CODE = 'IBAN prefix country code (ISO 3166)'
const STRUCTURE = 'BBAN structure'
const BANK = 'Bank identifier position within the BBAN'
const BRANCH = 'Branch identifier position within the BBAN'

/** Our table has a branch from the national standard where the registry leaves it empty. */
const BRANCH_OF_OUR_OWN: ReadonlySet<string> = new Set(['FR', 'PT'])

/** Reads the TXT edition of the registry; throws when the rows that it needs are missing. */
export function readRegistry(text: string): readonly RegistryEntry[] {
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
  const [codes, structures, banks, branches] = [row(CODE), row(STRUCTURE), row(BANK), row(BRANCH)]
  return codes.flatMap((code, column) =>
    /^[A-Z]{2}/.test(code)
      ? [
          {
            code: code.slice(0, 2),
            structure: withoutSpaces(structures[column]),
            bank: withoutSpaces(banks[column]),
            branch: withoutSpaces(branches[column]).replace(/^N\/A$/, ''),
          },
        ]
      : [],
  )
}

/** One line per country that differs, or that only one side has. */
export function compareRegistry(theirs: readonly RegistryEntry[]): readonly string[] {
  const ours = new Map(
    IBAN_REGISTRY.map(
      ([code, , structure, bank, branch]) => [code, { code, structure, bank, branch }] as const,
    ),
  )
  const added = theirs.filter(({ code }) => !ours.has(code)).map(({ code }) => `${code}: only in the file`)
  const codes = new Set(theirs.map(({ code }) => code))
  const removed = [...ours.keys()]
    .filter((code) => !codes.has(code))
    .map((code) => `${code}: only in our table`)
  const changed = theirs.flatMap((entry) => {
    const own = ours.get(entry.code)
    return own === undefined ? [] : differences(own, entry)
  })
  return [...added, ...removed, ...changed]
}

function differences(own: RegistryEntry, entry: RegistryEntry): string[] {
  const lines: string[] = []
  if (own.structure !== entry.structure)
    lines.push(`${own.code}: structure ${own.structure} in our table, ${entry.structure} in the file`)
  if (own.bank !== entry.bank)
    lines.push(`${own.code}: bank at ${own.bank} in our table, ${entry.bank} in the file`)
  if (own.branch !== entry.branch && !(entry.branch === '' && BRANCH_OF_OUR_OWN.has(own.code)))
    lines.push(
      `${own.code}: branch at ${position(own.branch)} in our table, ${position(entry.branch)} in the file`,
    )
  return lines
}

const position = (branch: string): string => branch || 'none'

function withoutSpaces(cell = ''): string {
  return cell.replace(/\s+/g, '')
}

if (import.meta.main) {
  try {
    const entries = readRegistry(readFileSync(process.argv[2] ?? '', 'latin1'))
    const lines = compareRegistry(entries)
    for (const line of lines) console.log(line)
    console.log(
      `${entries.length} countries in the file, ${lines.length} differences from release ${IBAN_RELEASE}`,
    )
    process.exitCode = lines.length === 0 ? 0 : 1
  } catch (error) {
    console.error(error instanceof Error ? error.message : 'the file cannot be read')
    process.exitCode = 2
  }
}
