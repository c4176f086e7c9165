import type { FacilitatorClient } from '@x402/core/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { withVerifyFallback } from '../../../src/payments/facilitators/verify-fallback.ts'

const down = () => Promise.reject(new FacilitatorFault('unknown', 'no reply in time'))

let asked: string[]
beforeEach(() => {
  asked = []
})

const client = (name: string, fails: boolean, isValid = true): FacilitatorClient => {
  const answer = (what: string, reply: object) => {
    asked.push(`${name} ${what}`)
    return fails ? down() : Promise.resolve(reply as never)
  }
  return {
    verify: () => answer('verify', { isValid }),
    settle: () => answer('settle', { success: true }),
    getSupported: () => answer('supported', { kinds: [] }),
  }
}
const pair = (first: FacilitatorClient, second: FacilitatorClient) => {
  const both = withVerifyFallback(first, second)
  return {
    verify: () => both.verify({} as never, {} as never),
    settle: () => both.settle({} as never, {} as never),
  }
}

describe('a second facilitator', () => {
  test('verifies where the first one fails', async () => {
    const { verify } = pair(client('first', true), client('second', false))
    expect(await verify()).toEqual({ isValid: true })
    expect(asked).toEqual(['first verify', 'second verify'])
  })

  test('is not asked while the first one answers, whatever it answers', async () => {
    const { verify } = pair(client('first', false, false), client('second', false))
    expect(await verify()).toEqual({ isValid: false })
    expect(asked).toEqual(['first verify'])
  })

  test('never settles', async () => {
    const { settle } = pair(client('first', true), client('second', false))
    await expect(settle()).rejects.toThrow(FacilitatorFault)
    expect(asked).toEqual(['first settle'])
  })

  test('that fails too is a failure', async () => {
    const { verify } = pair(client('first', true), client('second', true))
    await expect(verify()).rejects.toThrow(FacilitatorFault)
  })
})
