/** Tables held to a second transcription of their sources, which no code of ours produced. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ibanCheckDigits } from '../../../test/support/identifiers.ts'
import { CHECKS } from '../src/checks.ts'
import { MEMBER_STATES } from '../src/eu-vat/member-states.ts'
import { IBAN_COUNTRIES } from '../src/iban/countries.ts'
import { IBAN_REGISTRY } from '../src/iban/registry.ts'

const read = (name: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../test/vectors/transcription/${name}.json`, import.meta.url), 'utf8'),
  )

interface Transcribed {
  readonly length: number
  readonly structure: string
  readonly bank: string
  readonly branch: string
}

const structures: Readonly<Record<string, Transcribed>> = read('iban-structures')
/** From the national standards; the registry leaves the branch of these countries empty. */
const NATIONAL_BRANCHES: ReadonlyMap<string, string> = new Map([
  ['FR', '6-10'],
  ['PT', '5-8'],
])
const formats: Readonly<Record<string, readonly string[]>> = read('vat-formats')

/** One character of each kind, and for each kind those it excludes. */
const SAMPLES = ['0', '5', '9', 'A', 'M', 'Z']

describe('the IBAN table', () => {
  test('has the countries, structures, lengths, bank and branch positions of the transcription', () => {
    const ours = IBAN_REGISTRY.map(([code, , structure, bank, branch]) => [code, structure, bank, branch])
    const theirs = Object.entries(structures).map(([code, { structure, bank, branch }]) => [
      code,
      structure,
      bank,
      branch || (NATIONAL_BRANCHES.get(code) ?? ''),
    ])
    expect(ours.sort()).toEqual(theirs.sort())
    for (const { code, length } of IBAN_COUNTRIES)
      expect([code, length]).toEqual([code, structures[code]!.length])
  })

  test('marks as SEPA what the list of the European Payments Council names', () => {
    expect(
      IBAN_COUNTRIES.filter(({ sepa }) => sepa)
        .map(({ code }) => code)
        .sort(),
    ).toEqual(read('sepa'))
  })

  test.each(Object.entries(structures))('%s takes at each place what its structure allows', (code, {
    structure,
  }) => {
    const kinds = [...structure.matchAll(/(\d+)!([nac])/g)].flatMap(([, count, kind]) =>
      Array.from({ length: Number(count) }, () => kind!),
    )
    const base: readonly string[] = kinds.map((kind) => (kind === 'a' ? 'A' : '1'))
    for (const [index, kind] of kinds.entries()) {
      for (const sample of SAMPLES) {
        const bban = base.with(index, sample).join('')
        const allowed = kind === 'c' || (kind === 'n' ? /\d/ : /[A-Z]/).test(sample)
        const { code: found } = CHECKS.iban(code + ibanCheckDigits(code, bban) + bban).details
        expect([index, sample, found]).toEqual([index, sample, allowed ? 'ok' : 'structure'])
      }
    }
  })
})

describe('the VAT formats', () => {
  test('are those of the transcription, state by state', () => {
    expect([...MEMBER_STATES.keys()]).toEqual(Object.keys(formats))
  })

  test.each(Object.entries(formats))('%s', (prefix, patterns) => {
    const pattern = new RegExp(`^(?:${patterns.join('|')})$`)
    const national = (length: number) => Array.from({ length }, (_, index) => String((index * 7) % 10))
    for (let length = 1; length <= 14; length++) {
      for (const start of [national(length).join(''), ...bases(patterns, length)]) {
        for (let index = 0; index < length; index++) {
          for (const sample of [...SAMPLES, '+', '*', 'B', 'U', 'G', 'D', 'H', '1', '2']) {
            const value = [...start].with(index, sample).join('')
            const { code } = CHECKS['eu-vat'](prefix + value).details
            const isShaped = !['format', 'invalid_character'].includes(code)
            expect([value, isShaped]).toEqual([value, pattern.test(value)])
          }
        }
      }
    }
  })
})

/** One value for each pattern of a length, to start from. */
function bases(patterns: readonly string[], length: number): string[] {
  return patterns
    .map((pattern) =>
      pattern
        .replace(/\[0-9A-Z\+?\*?\]\{(\d)\}/g, (_, count) => 'A'.repeat(Number(count)))
        .replace(/\[A-Z\]\{(\d)\}/g, (_, count) => 'A'.repeat(Number(count)))
        .replace(/\\d\{(?:2,)?(\d+)\}/g, (_, count) => '1'.repeat(Number(count)))
        .replace(/\[01\]/g, '0')
        .replace(/\[[^\]]*\]/g, 'A')
        .replaceAll('\\d', '1'),
    )
    .filter((base) => base.length === length)
}
