import { describe, expect, test } from 'vitest'
import { IllegalTransition } from '../../src/ledger/payments/transitions.ts'
import { Raced } from '../../src/ledger/store/raced.ts'
import { guardWith } from '../../src/ledger/store/store-guard.ts'
import { StoreUnavailable, withReason } from '../../src/ledger/store/store-unavailable.ts'

const guarded = guardWith('the store did not answer')
const thrown = (error: unknown) =>
  guarded(() => Promise.reject(error))(async () => {}).catch((reason: unknown) => reason)

describe('what a store throws', () => {
  test.each([
    ['SQLITE_FULL', 'full'],
    ['53100', 'full'],
    ['SQLITE_READONLY', 'read_only'],
    ['SQLITE_READONLY_DBMOVED', 'read_only'],
    ['25006', 'read_only'],
    ['SQLITE_IOERR', 'no_answer'],
    ['ECONNREFUSED', 'no_answer'],
    [undefined, 'no_answer'],
  ])('is named by its code: %s is %s', async (code, fault) => {
    const cause = Object.assign(new Error('told to fail'), { code })
    const error = await thrown(cause)
    expect(error).toBeInstanceOf(StoreUnavailable)
    expect(error).toMatchObject({ fault, cause, message: 'the store did not answer' })
  })

  test('is passed on as it is if it is a defect of the caller, or a lost race', async () => {
    for (const error of [new IllegalTransition('told to fail'), new Raced()])
      expect(await thrown(error)).toBe(error)
  })

  test('is shown with its own reason, if it has one that is not in the message yet', () => {
    const words = (cause?: Error) => withReason(new StoreUnavailable('the store is down', { cause }))
    expect(words()).toBe('the store is down')
    expect(words(new Error(''))).toBe('the store is down')
    expect(words(new Error('down'))).toBe('the store is down')
    expect(words(new Error('no privilege'))).toBe('the store is down: no privilege')
  })
})
