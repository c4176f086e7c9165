import { describe, expect, test } from 'vitest'
import { allBut, CORRECTIONS } from '../../model/corrections.ts'
import { explore } from '../../model/explore.ts'
import { PLANS, scenarioOf } from '../../model/scenarios.ts'

describe('the model of a sale', () => {
  test.each(PLANS)('keeps its promises in every state of: $name', (plan) => {
    expect(explore(scenarioOf(plan, allBut())).broken).toBeNull()
  })

  const attacks = PLANS.flatMap((plan) => plan.shows.map((correction) => ({ correction, plan })))
  test.each(attacks)('finds the attack once $correction is left out', ({ correction, plan }) => {
    expect(explore(scenarioOf(plan, allBut(correction))).broken).not.toBeNull()
  })

  test('shows every correction at work', () => {
    expect(new Set(attacks.map(({ correction }) => correction))).toEqual(new Set(Object.keys(CORRECTIONS)))
  })
})
