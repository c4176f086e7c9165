/** What an executor hands to the counter: the kind of call, the values it read, and quotes of its surface. */
import { expect, it } from 'vitest'
import type { Items } from '../../../src/payments/ports/sale.ts'
import type { Caller, Counter, ReadableCall } from '../../../src/surfaces/call/counter.ts'
import { type Executor, skillExecutors } from '../../../src/surfaces/call/skill-executor.ts'
import { realRegistry } from '../../support/registry.ts'

const registry = realRegistry()
const [iban, email] = [registry.get('iban')!, registry.get('email')!]
const CALLER = { payment: { kind: 'none' }, surface: 'mcp' } as unknown as Caller

async function handedIn(choose: (all: ReturnType<typeof skillExecutors>) => Executor, json: unknown) {
  const calls: ReadableCall[] = []
  const quoted: unknown[] = []
  const counter = { sell: async (call: ReadableCall) => void calls.push(call) } as unknown as Counter
  const quote = {
    single: () => ({}) as never,
    of: async (...what: unknown[]) => void quoted.push(what) as never,
  }
  const executor = choose(skillExecutors({ registry, quote, counter }))
  await executor.execute({ json }, CALLER)
  const [call] = calls
  await call?.quote(3)
  const reading = call?.read()
  const values = reading?.ok ? reading.items.map(({ skill, value }) => `${skill.id}=${value}`) : reading?.code
  return [call?.shape, call?.type, values, quoted]
}

it.each([
  ['single', 'iban', { value: 'x' }, ['iban=x']],
  ['single', 'iban', { values: ['x'] }, 'value_missing'],
  ['list', 'iban', { values: ['x', 'y'] }, ['iban=x', 'iban=y']],
  ['list', 'iban', { value: 'x' }, 'list_missing'],
  ['list', 'mixed', { items: [{ type: 'vat', value: 'x' }] }, ['eu-vat=x']],
  ['list', 'mixed', { values: ['x'] }, 'list_missing'],
] as const)('a %s of %s reads %j', async (shape, type, json, values) => {
  expect(await handedIn((all) => all.of({ shape, type }), json)).toEqual([
    shape,
    type,
    values,
    [[{ shape, type, items: 3 }, 'mcp']],
  ])
})

it('takes values that are read as they are', async () => {
  const items: Items = [
    { skill: iban, value: 'x' },
    { skill: email, value: 'y' },
  ]
  const read: unknown[] = []
  const counter = { sell: async (call: ReadableCall) => void read.push(call.read()) } as unknown as Counter
  const quote = { single: () => ({}) as never, of: async () => ({}) as never }
  await skillExecutors({ registry, quote, counter }).executeList.execute({ items }, CALLER)
  expect(read).toEqual([{ ok: true, items }])
})

it('is there for each skill of the registry, in its order', () => {
  const { skills } = skillExecutors({ registry, quote: {} as never, counter: {} as never })
  expect(skills.map(({ skill }) => skill)).toEqual(registry.all)
})
