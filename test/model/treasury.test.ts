import { describe, expect, test } from 'vitest'
import { exploreTreasury, TREASURY_RULES, type TreasuryRule } from '../../model/treasury.ts'

describe('the model of the treasury', () => {
  test('never passes the fuse, and gives every reserve back, in every order of events', () => {
    const { states, broken } = exploreTreasury()
    expect(broken).toBeNull()
    expect(states).toBeGreaterThan(1_000)
  })

  test.each(
    Object.keys(TREASURY_RULES) as TreasuryRule[],
  )('finds what %s is for, once it is left out', (rule) => {
    expect(exploreTreasury(rule).broken).not.toBeNull()
  })
})
