import { describe, expect, test } from 'vitest'
import { exploreSettlement, SETTLEMENT_PLANS, SETTLEMENT_RULES } from '../../model/settlement.ts'

describe('the model of own settlements', () => {
  test.each(SETTLEMENT_PLANS)('keeps its promises in every state with: $faults', ({ faults }) => {
    expect(exploreSettlement(faults).broken).toBeNull()
  })

  const attacks = SETTLEMENT_PLANS.flatMap(({ faults, shows }) => shows.map((rule) => ({ rule, faults })))
  test.each(attacks)('finds what $rule is for, once it is left out', ({ rule, faults }) => {
    expect(exploreSettlement(faults, rule).broken).not.toBeNull()
  })

  test('shows every rule at work', () => {
    expect(new Set(attacks.map(({ rule }) => rule))).toEqual(new Set(Object.keys(SETTLEMENT_RULES)))
  })
})
