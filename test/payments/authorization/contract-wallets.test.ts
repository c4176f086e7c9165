import { serializeErc6492Signature } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { createKeyring } from '../../../src/payments/secrets/keyring.ts'
import { type BenchBuyer, rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const FACTORY = `0x${'12'.repeat(20)}` as const

/** A payment whose signature only a contract could accept. */
async function contractPayment(
  buyer: BenchBuyer,
  form: 'long' | 'another key' | 'counterfactual' | 'broken counterfactual' = 'long',
) {
  const { payload, nonce } = await buyer.sign()
  const owner = await (await bench.buyer(0n)).sign({ from: buyer.address, nonce })
  const signature = {
    long: `0x${'ab'.repeat(100)}`,
    'another key': owner.payload.payload.signature,
    counterfactual: serializeErc6492Signature({ address: FACTORY, data: '0x1234', signature: '0xabab' }),
    // The mark of ERC-6492 at its end, and nothing that belongs before it.
    'broken counterfactual': `0x${'ab'.repeat(100)}${'6492'.repeat(16)}`,
  }[form]
  return {
    nonce,
    payload,
    rawPayment: rawPaymentOf({ ...payload, payload: { ...payload.payload, signature } }),
  }
}
const isContract = (yes: boolean) => {
  bench.reader.hasCode = async () => yes
}
/** Stands for a chain on which the wallet accepts what was signed. */
const settles = () =>
  bench.facilitator.script.push({
    says: (_, { payload }) => ({
      success: true,
      transaction: `0x${'cd'.repeat(32)}`,
      network: 'eip155:8453',
      payer: (payload.authorization as { from: string }).from,
    }),
  })

describe('a payer that is a contract', () => {
  test.each([
    'long',
    'another key',
  ] as const)('is judged by the facilitator’s verify, before anything is claimed: signature %s', async (form) => {
    isContract(true)
    const buyer = await bench.buyer()
    bench.facilitator.verdicts.push({ isValid: true })
    settles()
    const { rawPayment } = await contractPayment(buyer, form)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(bench.facilitator.verified).toHaveLength(1)
    expect(bench.facilitator.settled).toHaveLength(1)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(bench.facilitator.verified).toHaveLength(1)
  })

  test('whose settlements revert counts against the address it comes from, whatever the wallet', async () => {
    isContract(true)
    const reverts = async (client: string) => {
      bench.facilitator.verdicts.push({ isValid: true })
      const hash = `0x${'cd'.repeat(32)}`
      bench.facilitator.script.push({
        says: () => ({ success: false, errorReason: 'transaction_failed', transaction: hash }),
      })
      const { rawPayment } = await contractPayment(await bench.buyer())
      const sale = await bench.sell(rawPayment, { ...bench.call(), client })
      bench.facilitator.verdicts.length = 0
      bench.facilitator.script.length = 0
      return sale
    }
    for (let tries = 0; tries < 3; tries += 1)
      expect(await reverts('192.0.2.1')).toMatchObject({ code: 'payment_in_doubt' })
    expect(await reverts('192.0.2.1')).toMatchObject({ kind: 'declined', code: 'too_many_requests' })
    expect(bench.facilitator.settled).toHaveLength(3)
    expect(await reverts('192.0.2.2')).toMatchObject({ code: 'payment_in_doubt' })
    const ordinary = await (await bench.buyer()).sign()
    expect(await bench.sell(ordinary.rawPayment, { ...bench.call(), client: '192.0.2.1' })).toMatchObject({
      kind: 'sold',
    })
    bench.clock.advance(61_000)
    expect(await reverts('192.0.2.1')).toMatchObject({ code: 'payment_in_doubt' })
  })

  test('whose settlements a facilitator says it did not make costs it nothing, and does not count', async () => {
    isContract(true)
    for (let tries = 0; tries < 4; tries += 1) {
      bench.facilitator.verdicts.push({ isValid: true })
      bench.facilitator.script.push({
        says: () => {
          throw new FacilitatorFault('not_sent', 'forbidden', { answered: true })
        },
      })
      const { rawPayment } = await contractPayment(await bench.buyer())
      const sale = await bench.sell(rawPayment, { ...bench.call(), client: '192.0.2.1' })
      expect(sale).toMatchObject({ code: 'payment_in_doubt' })
    }
  })

  test('whose signature verify does not accept is refused, and nothing is claimed', async () => {
    isContract(true)
    const buyer = await bench.buyer()
    bench.facilitator.verdicts.push({ isValid: false, invalidReason: 'invalid_exact_evm_payload_signature' })
    const { rawPayment, nonce } = await contractPayment(buyer)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_invalid_signature' })
    await expect(bench.row(buyer, nonce)).rejects.toThrow('no such row')
    expect(bench.facilitator.settled).toHaveLength(0)
  })

  test.each([
    ['verify', 'facilitator_unavailable', () => bench.facilitator.verdicts.push('down')],
    [
      'the chain',
      'chain_unavailable',
      () => {
        bench.reader.hasCode = () => Promise.reject(new ChainUnavailable('down'))
      },
    ],
  ])('waits for %s to answer', async (_, code, breaks) => {
    isContract(true)
    const buyer = await bench.buyer()
    breaks()
    const { rawPayment } = await contractPayment(buyer, 'another key')
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code })
    expect(bench.facilitator.settled).toHaveLength(0)
  })

  test('whose signatures get no answer counts against the address it comes from, whatever the wallet', async () => {
    isContract(true)
    const asksFrom = async (client: string) => {
      bench.facilitator.verdicts.push('down')
      const { rawPayment } = await contractPayment(await bench.buyer(0n))
      return bench.sell(rawPayment, { ...bench.call(), client })
    }
    for (let tries = 0; tries < 3; tries += 1)
      expect(await asksFrom('192.0.2.1')).toMatchObject({ code: 'facilitator_unavailable' })
    expect(await asksFrom('192.0.2.1')).toMatchObject({ kind: 'declined', code: 'too_many_requests' })
    expect(bench.facilitator.verified).toHaveLength(3)
    expect(await asksFrom('192.0.2.2')).toMatchObject({ code: 'facilitator_unavailable' })
  })

  test('is not judged again when its signature was accepted, also while node and facilitator are down', async () => {
    isContract(true)
    const buyer = await bench.buyer()
    bench.facilitator.verdicts.push({ isValid: true })
    bench.facilitator.script.push({ says: 'not_sent' })
    const { rawPayment } = await contractPayment(buyer)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    bench.reader.hasCode = () => Promise.reject(new ChainUnavailable('down'))
    bench.facilitator.verdicts.push('down')
    bench.facilitator.script.push({ says: 'not_sent' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    expect(bench.facilitator.settled).toHaveLength(2)
    expect(bench.facilitator.verified).toHaveLength(1)
  })

  test('is not judged again while the secret key is being rotated', async () => {
    isContract(true)
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    await bench.restart({ keys: createKeyring(old) })
    bench.facilitator.verdicts.push({ isValid: true })
    settles()
    const { rawPayment } = await contractPayment(await bench.buyer())
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    await bench.restart({ keys: createKeyring(fresh, old) })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(bench.facilitator.verified).toHaveLength(1)
  })

  test('gets nothing for another signature under a nonce that was sent', async () => {
    isContract(true)
    const buyer = await bench.buyer()
    bench.facilitator.verdicts.push({ isValid: true })
    bench.facilitator.script.push({ says: 'unknown' })
    const { rawPayment, payload } = await contractPayment(buyer)
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    const forged = { ...payload, payload: { ...payload.payload, signature: `0x${'cd'.repeat(100)}` } }
    expect(await bench.sell(rawPaymentOf(forged))).toMatchObject({ code: 'payment_already_used' })
  })

  test('may also sign with its own key, as an account that delegates to code does', async () => {
    isContract(true)
    const { rawPayment } = await (await bench.buyer()).sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(bench.facilitator.verified).toHaveLength(0)
  })

  test('that does not exist yet is left to verify, which knows what its factory would make of it', async () => {
    isContract(false)
    const buyer = await bench.buyer()
    bench.facilitator.verdicts.push({ isValid: false, invalidReason: 'eip6492_factory_not_allowed' })
    expect(await bench.sell((await contractPayment(buyer, 'counterfactual')).rawPayment)).toMatchObject({
      code: 'payment_invalid_signature',
    })
    expect(bench.facilitator.verified).toHaveLength(1)
  })

  test('that does not exist yet, and does not say in order how it would be made, is asked about nowhere', async () => {
    isContract(false)
    const { rawPayment } = await contractPayment(await bench.buyer(), 'broken counterfactual')
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_invalid_signature' })
    expect(bench.facilitator.verified).toHaveLength(0)
  })

  test('that does not exist and names no factory is asked about nowhere but on the chain', async () => {
    isContract(false)
    expect(await bench.sell((await contractPayment(await bench.buyer())).rawPayment)).toMatchObject({
      code: 'payment_invalid_signature',
    })
    expect(bench.facilitator.verified).toHaveLength(0)
  })
})

describe('an ordinary payer', () => {
  test('is asked about once a minute, and refused without asking a facilitator', async () => {
    let asked = 0
    bench.reader.hasCode = async () => {
      asked += 1
      return false
    }
    const buyer = await bench.buyer()
    for (let tries = 0; tries < 3; tries += 1) {
      const { rawPayment } = await contractPayment(buyer, 'another key')
      expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_invalid_signature' })
    }
    expect(asked).toBe(1)
    bench.clock.advance(61_000)
    await bench.sell((await contractPayment(buyer, 'another key')).rawPayment)
    expect(asked).toBe(2)
    expect(bench.facilitator.verified).toHaveLength(0)
  })
})
