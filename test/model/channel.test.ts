import { describe, expect, test } from 'vitest'
import { exploreChannel } from '../../model/channel/explore-channel.ts'
import { RULES } from '../../model/channel/rules.ts'
import { CHANNEL_PLANS } from '../../model/channel/scenarios.ts'

describe('the model of a payment channel', () => {
  test.each(CHANNEL_PLANS)('keeps its promises in every state of: $name', (plan) => {
    expect(exploreChannel(plan).broken).toBeNull()
  })

  const attacks = CHANNEL_PLANS.flatMap((plan) => plan.shows.map((rule) => ({ rule, plan })))
  test.each(attacks)('finds what $rule is for, once it is left out', ({ rule, plan }) => {
    expect(exploreChannel({ ...plan, without: [rule] }).broken).not.toBeNull()
  })

  test('shows every rule at work', () => {
    expect(new Set(attacks.map(({ rule }) => rule))).toEqual(new Set(Object.keys(RULES)))
  })
})
