import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareRegistry, readRegistry } from '../../../scripts/compare-iban-registry.ts'
import { IBAN_REGISTRY } from '../../../src/checks/iban/registry.ts'

type Row = readonly [code: string, structure: string, bank: string, branch: string]

/** A registry file of these countries, in the layout of the TXT edition. */
function registryFile(rows: readonly Row[]): string {
  const line = (name: string, cells: readonly string[]) => [name, ...cells].join('\t')
  return [
    line(
      'Data element',
      rows.map(([code]) => `Country ${code}`),
    ),
    line(
      'IBAN prefix country code (ISO 3166)',
      rows.map(([code]) => `"${code}"`),
    ),
    line(
      'BBAN',
      rows.map(() => ''),
    ),
    line(
      'BBAN structure',
      rows.map(([, structure]) => structure),
    ),
    line(
      'Bank identifier position within the BBAN',
      rows.map(([, , bank]) => bank),
    ),
    line(
      'Branch identifier position within the BBAN',
      rows.map(([, , , branch]) => branch),
    ),
  ].join('\r\n')
}

/** As the registry has it: no branch in France and Portugal, and N/A where another country has none. */
const NO_BRANCH: ReadonlyMap<string, string> = new Map([
  ['FR', ''],
  ['PT', ''],
  ['FK', 'N/A'],
])

const ours: readonly Row[] = IBAN_REGISTRY.map(([code, , structure, bank, branch]) => [
  code,
  structure,
  bank,
  NO_BRANCH.get(code) ?? branch,
])

const changes: ReadonlyMap<string, (row: Row) => Row> = new Map([
  ['BR', ([code, , ...positions]: Row): Row => [code, '8!n5!n10!n1!a1!c', ...positions]],
  ['DE', ([code, structure, , branch]: Row): Row => [code, structure, '1 - 4', branch]],
  ['FR', ([code, structure, bank]: Row): Row => [code, structure, bank, '6-9']],
  ['GB', ([code, structure, bank]: Row): Row => [code, structure, bank, '5 - 9']],
  ['IT', ([code, structure, bank]: Row): Row => [code, structure, bank, '']],
])

describe('the comparison with a registry file', () => {
  test('finds nothing in a file that says the same', () => {
    expect(compareRegistry(readRegistry(registryFile(ours)))).toEqual([])
  })

  test('names added, missing and changed countries', () => {
    const changed: readonly Row[] = [
      ['QZ', '4!n8!n', '1-4', ''],
      ...ours.filter(([code]) => code !== 'AD').map((row) => changes.get(row[0])?.(row) ?? row),
    ]
    expect(compareRegistry(readRegistry(registryFile(changed)))).toEqual([
      'QZ: only in the file',
      'AD: only in our table',
      'BR: structure 8!c5!n10!n1!c1!c in our table, 8!n5!n10!n1!a1!c in the file',
      'DE: bank at 1-8 in our table, 1-4 in the file',
      'FR: branch at 6-10 in our table, 6-9 in the file',
      'GB: branch at 5-10 in our table, 5-9 in the file',
      'IT: branch at 7-11 in our table, none in the file',
    ])
  })

  test('refuses a file without the rows it needs', () => {
    expect(() => readRegistry('Country\tGermany')).toThrow(/no row "IBAN prefix country code/)
  })

  test('runs as a script and says by its exit code whether something differs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'iban-registry-'))
    try {
      const file = join(folder, 'registry.txt')
      writeFileSync(file, registryFile(ours))
      const script = new URL('../../../scripts/compare-iban-registry.ts', import.meta.url).pathname
      const output = execFileSync(process.execPath, [script, file], { encoding: 'utf8' })
      expect(output).toBe('89 countries in the file, 0 differences from release 103\n')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
