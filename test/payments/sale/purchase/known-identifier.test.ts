import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '../../../support/eventually.ts'
import { expectRenamedRepeat, RENAMINGS, REPEATED_STATES } from '../../../support/repeat-identifiers.ts'
import { type SaleBench, startSaleBench } from '../../../support/sale-bench.ts'
import type { SettleAct } from '../../../support/scripted-facilitator.ts'

const ID = 'order-0123456789abcdef'
const OTHER_ID = 'order-fedcba9876543210'
const named = (id: unknown) => ({ 'payment-identifier': { info: { required: false, id }, schema: {} } })

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

describe('a payment that is known is repeated under whatever identifier', () => {
  const cases = REPEATED_STATES.flatMap((state) => RENAMINGS.map((how) => [state, how.name, how] as const))
  test.each(cases)('%s, %s', async (state, _name, renaming) => {
    for (const surface of ['rest', 'a2a', 'mcp'] as const)
      await expectRenamedRepeat(bench, state, renaming, surface)
  })

  test('an identifier of another purchase, too', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign({}, OTHER_ID)).rawPayment, bench.call('other'))
    for (const [index, script] of [[], [{ says: 'unknown' }], [{ says: 'not_sent' }]].entries()) {
      bench.facilitator.script.push(...(script as SettleAct[]))
      const call = bench.call(`number ${index}`)
      const { payload, rawPayment } = await buyer.sign({}, `${ID}-${index}`)
      await bench.sell(rawPayment, call)
      const renamed = { kind: 'object', payload: { ...payload, extensions: named(OTHER_ID) } } as const
      expect(await bench.sell(renamed, call)).toMatchObject({ kind: 'sold' })
    }
  })

  test('and another purchase under it is still refused, with no word of the identifier', async () => {
    const { payload, rawPayment } = await (await bench.buyer()).sign({}, ID)
    await bench.sell(rawPayment)
    for (const id of [ID, OTHER_ID, 'short', null])
      expect(
        await bench.sell({ kind: 'object', payload: { ...payload, extensions: named(id) } }, bench.call('x')),
      ).toEqual({ kind: 'declined', code: 'payment_already_used', final: true })
  })

  test('an unspent authorization that pays for something else takes the new identifier', async () => {
    const buyer = await bench.buyer()
    bench.facilitator.script.push({ says: 'not_sent' })
    const { payload, rawPayment } = await buyer.sign({}, ID)
    await bench.sell(rawPayment)
    const renamed = { kind: 'object', payload: { ...payload, extensions: named(OTHER_ID) } } as const
    expect(await bench.sell(renamed, bench.call('other'))).toMatchObject({ kind: 'sold' })
    expect(await bench.sell((await buyer.sign({}, ID)).rawPayment)).toMatchObject({ replayed: false })
    expect(await bench.sell((await buyer.sign({}, OTHER_ID)).rawPayment, bench.call('other'))).toMatchObject({
      replayed: true,
    })
  })
})

describe('copies under way', () => {
  test.each(RENAMINGS.map((how) => [how.name, how] as const))('%s are answered together', async (_, how) => {
    const { payload, rawPayment } = await (await bench.buyer()).sign({}, how.first)
    const { extensions: __, ...bare } = payload
    const renamed = how.second === undefined ? bare : { ...bare, extensions: named(how.second) }
    const release = bench.facilitator.hold()
    const first = bench.sell(rawPayment)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    const copies = [bench.sell({ kind: 'object', payload: renamed }), bench.sell(rawPayment)]
    release()
    expect(await first).toMatchObject({ kind: 'sold', replayed: false })
    for (const copy of copies) expect(await copy).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('one with a good identifier does not share the refusal of a malformed one', async () => {
    const { payload } = await (await bench.buyer()).sign()
    const sell = (id: unknown) =>
      bench.sell({ kind: 'object', payload: { ...payload, extensions: named(id) } })
    const [bent, none, good] = await Promise.all([sell('short'), sell(null), sell(ID)])
    expect(bent).toMatchObject({ code: 'payment_malformed' })
    expect([none, good]).toMatchObject([{ kind: 'sold' }, { kind: 'sold' }])
    expect(await bench.charged()).toBe(1)
  })
})
