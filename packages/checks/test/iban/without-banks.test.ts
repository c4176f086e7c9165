/** The check of the package without lists of banks, beside the one that is sold. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { vectors } from '../../../../test/support/vectors.ts'
import { checkIban } from '../../src/iban/check-iban.ts'
import { checkIbanAndBank } from '../../src/iban/check-iban-and-bank.ts'

const mistakes: readonly { readonly value: string }[] = ['mistakes', 'mistakes-held-out'].flatMap((name) =>
  JSON.parse(readFileSync(new URL(`../../../../test/vectors/${name}.json`, import.meta.url), 'utf8')),
)
const VALUES = [...vectors('iban'), ...vectors('iban-registry'), ...mistakes].map(({ value }) => value)

describe('the check without lists', () => {
  test('says so in its ruleset, and is otherwise equal but for what the lists say', () => {
    for (const value of VALUES) {
      const { details: sold, ...verdict } = checkIbanAndBank(value)
      const { bank, bankCode, ...details } = sold
      const expected = {
        ...verdict,
        details: {
          ...details,
          ruleset: `${details.ruleset}/no-banks`,
          warnings: details.warnings.filter((warning) => warning !== 'bank_code_unknown'),
        },
      }
      expect(JSON.stringify(checkIban(value))).toBe(JSON.stringify(expected))
    }
  })

  test('and the one with lists tell nothing of a bank when a value is refused', () => {
    const refused = VALUES.map(checkIbanAndBank).filter(({ valid }) => !valid)
    expect(refused.length).toBeGreaterThan(500)
    for (const { details } of refused) {
      expect(details).not.toHaveProperty('bank')
      expect(details).not.toHaveProperty('bankCode')
      expect(details.warnings).toEqual([])
    }
  })
})
