import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { createBindings } from '../../../src/payments/secrets/bindings.ts'
import { createKeyring } from '../../../src/payments/secrets/keyring.ts'
import { HOUR_MS } from '../../../src/values/utc-days.ts'

/** More than any replay window has hours. */
const KEPT_HOURS = 30
const CALL = Buffer.from('call')

test('keeps the keys of as many hours in memory as a replay window needs, and reads an older one again', async () => {
  const facts = new Map<string, string>()
  const reads: string[] = []
  const ledger = {
    findFact: async (name: string) => {
      reads.push(name)
      return facts.get(name) ?? null
    },
    ensureFact: async (name: string, value: string) => {
      if (!facts.has(name)) facts.set(name, value)
      return facts.get(name) as string
    },
    replaceFact: async () => {
      throw new Error('no key is written under another secret')
    },
  }
  const bindings = createBindings(ledger, createKeyring(randomBytes(32)))
  const first = await bindings.bind(CALL, 0)
  const isFirstRead = async () => {
    reads.length = 0
    expect(await bindings.isBoundTo(first, [CALL])).toBe(true)
    return reads.includes(first.bindingKey as string)
  }
  for (let hour = 1; hour < KEPT_HOURS; hour += 1) await bindings.bind(CALL, hour * HOUR_MS)
  expect(await isFirstRead()).toBe(false)
  await bindings.bind(CALL, KEPT_HOURS * HOUR_MS)
  expect(await isFirstRead()).toBe(true)
  expect(await isFirstRead()).toBe(false)
})

test.each([
  'salt',
  'binding',
  'bindingKey',
])('without its %s a payment is bound to no call', async (member) => {
  const ledger = { findFact: async () => null, ensureFact: async (_: string, value: string) => value }
  const bindings = createBindings(
    { ...ledger, replaceFact: () => Promise.reject(new Error('no key is replaced')) },
    createKeyring(randomBytes(32)),
  )
  const bound = await bindings.bind(CALL, 0)
  expect(await bindings.isBoundTo(bound, [CALL])).toBe(true)
  expect(await bindings.isBoundTo({ ...bound, [member]: null }, [CALL])).toBe(false)
})
