/** The comparison of our tables with the files of their sources, in the layout that each source has. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { compareSource, readSources } from '../../../scripts/compare-sources.ts'
import { ROOT } from '../../../test/support/command.ts'
import { IBAN_REGISTRY } from '../src/iban/registry.ts'

const FILES = {
  'iban-registry': 'iban-registry.txt',
  vies: 'vies-faq.html',
  'rfc-index': 'rfc-index.txt',
} as const
const pathOf = (source: keyof typeof FILES) => join(import.meta.dirname, 'sources', FILES[source])
const textOf = (source: keyof typeof FILES) => readFileSync(pathOf(source), 'latin1')

/** The differences from the file after a change, without the countries that a short file lacks. */
function after(source: keyof typeof FILES, from: string | RegExp, to: string): readonly string[] {
  const changed = textOf(source).replace(from, to)
  expect(changed).not.toBe(textOf(source))
  return compareSource(source, () => changed)
}

describe('the registry of IBANs', () => {
  const present = (lines: readonly string[]) => lines.filter((line) => !line.endsWith('only in our table'))

  test('names countries that only one side has', () => {
    const lines = compareSource('iban-registry', () => textOf('iban-registry'))
    expect(present(lines)).toEqual(['QZ: only in the file'])
    expect(lines).toContain('GB: only in our table')
    expect(lines).toHaveLength(1 + IBAN_REGISTRY.length - 4)
  })

  test.each([
    ['5!n5!n11!c2!n', '5!n16!c2!n', 'FR: structure 5!n5!n11!c2!n in our table, 5!n16!c2!n in the file'],
    ['1-8', '1 - 4', 'DE: bank at 1-8 in our table, 1-4 in the file'],
    ['5-8', '5-9', 'AD: branch at 5-8 in our table, 5-9 in the file'],
    ['5-8', '', 'AD: branch at 5-8 in our table, none in the file'],
    [/5-8\t\t\t/, '5-8\t\t6-9\t', 'FR: branch at 6-10 in our table, 6-9 in the file'],
    ['N/A', '3-4', 'FK: branch at none in our table, 3-4 in the file'],
  ])('names the country whose %s became "%s"', (from, to, line) => {
    expect(present(after('iban-registry', from, to))).toEqual(['QZ: only in the file', line])
  })
})

describe('the structures of VAT numbers', () => {
  test('are those of the page', () => {
    expect(compareSource('vies', () => textOf('vies'))).toEqual([])
  })

  test.each([
    [
      'BE0999999999 or<br>',
      '',
      'BE: structures BE0999999999, BE1999999999 in our table, BE1999999999 in the file',
    ],
    ['HU99999999<', 'HU999999999<', 'HU: structures HU99999999 in our table, HU999999999 in the file'],
    [
      'NLSSSSSSSSSSSS',
      'NL999999999999',
      'NL: structures NL999999999B99 in our table, NL999999999999 in the file',
    ],
    [/<tr><td>MT-.*\n/, '', 'MT: only in our table'],
    ['AT-Austria', 'ZZ-Atlantis', 'ZZ: only in the file'],
  ])('name the prefix when %s became "%s"', (from, to, line) => {
    expect(after('vies', from, to)).toContain(line)
  })
})

describe('the RFCs cited by the email rules', () => {
  test('are what the index said when they were last looked at', () => {
    expect(compareSource('rfc-index', () => textOf('rfc-index'))).toEqual([])
  })

  test.each([
    [
      '(Updated by\n     RFC7504) (Status: DRAFT',
      '(Obsoleted by RFC9999) (Updated by\n     RFC7504) (Status: DRAFT',
      'RFC5321: obsoleted by none in our table, RFC9999 in the file',
    ],
    ['RFC6854', 'RFC6854, RFC9998', 'RFC5322: updated by RFC6854 in our table, RFC6854, RFC9998 in the file'],
    ['INFORMATIONAL', 'HISTORIC', 'RFC3696: status INFORMATIONAL in our table, HISTORIC in the file'],
    ['\n3696 ', '\n3699 ', 'RFC3696: only in our table'],
  ])('are named when %s became "%s"', (from, to, line) => {
    expect(after('rfc-index', from, to)).toEqual([line])
  })
})

describe('the script', () => {
  const script = join(ROOT, 'scripts/compare-sources.ts')

  test('says by its exit code whether something differs', () => {
    const run = (...args: readonly string[]) =>
      execFileSync(process.execPath, [script, ...args], { encoding: 'utf8', stdio: 'pipe' })
    expect(run('vies', pathOf('vies'))).toBe('0 differences\n')
    expect(() => run('iban-registry', pathOf('iban-registry'))).toThrow(
      expect.objectContaining({ status: 1, stdout: expect.stringContaining('QZ: only in the file\n') }),
    )
    expect(() => run('gleif', pathOf('vies'))).toThrow(
      expect.objectContaining({
        status: 2,
        stderr: expect.stringMatching(/^the source is one of iban-registry, vies, rfc-index, banks-AT,/),
      }),
    )
  })

  test.each([
    ['iban-registry', 'Country\tGermany', /no row "IBAN prefix country code/],
    ['vies', '<html></html>', /no table of structures/],
    ['rfc-index', 'RFC INDEX', /no entries/],
  ])('refuses a file that is not of %s', (source, text, message) => {
    expect(() => compareSource(source, () => text)).toThrow(message)
  })

  test('has a day for each source', () => {
    const { compared } = readSources()
    expect(Object.keys(compared)).toEqual(Object.keys(FILES))
    for (const row of Object.values(compared)) expect(row.compared).toMatch(/^20\d\d-\d\d-\d\d$/)
  })
})
