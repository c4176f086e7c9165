import { describe, expect, test } from 'vitest'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { BACKENDS } from '../../support/chain-backends.ts'
import {
  cancelCall,
  freshAccount,
  type SignedPayment,
  signPayment,
  termsFor,
} from '../../support/chain-payments.ts'
import { fundedChain } from '../../support/funded-chain.ts'

describe.each(BACKENDS)('a facilitator of our own (%s)', (kind, start) => {
  const funded = fundedChain(start)
  const { payer, payTo } = funded

  const terms = termsFor(payTo)
  const verify = ({ payload, requirements }: SignedPayment) =>
    funded.chain.facilitator.verify(payload, requirements)
  const settle = ({ payload, requirements }: SignedPayment) =>
    funded.chain.facilitator.settle(payload, requirements)
  const queryFor = ({ transfer }: SignedPayment) => ({
    payer: transfer.from,
    nonce: transfer.nonce,
    payTo,
    amount: 1000n,
  })

  test('offers exact payments on Base, and channels where the chain has their contracts', async () => {
    const { kinds } = await funded.chain.facilitator.getSupported()
    const schemes = kind === 'anvil' ? ['exact', 'batch-settlement'] : ['exact']
    expect(kinds).toEqual(schemes.map((scheme) => ({ x402Version: 2, scheme, network: 'eip155:8453' })))
  })

  test('verifies and settles a good payment, which the chain then shows', async () => {
    const payment = await signPayment(payer, terms)
    expect(await verify(payment)).toEqual({ isValid: true, payer: payer.address })
    const settled = await settle(payment)
    expect(settled).toMatchObject({ success: true, payer: payer.address, network: 'eip155:8453' })
    const trace = await funded.chain.chainReader.trace(queryFor(payment))
    expect(trace).toMatchObject({ kind: 'used', payments: [{ transaction: settled.transaction }] })
  })

  test('does not settle one authorization twice, one after the other or at once', async () => {
    const payment = await signPayment(payer, terms)
    const before = await funded.chain.chainReader.balance(payTo)
    const outcomes = await Promise.all([settle(payment), settle(payment), settle(payment)])
    expect(outcomes.filter(({ success }) => success)).toHaveLength(1)
    const again = await settle(payment)
    expect(again).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_nonce_already_used',
      transaction: '',
    })
    expect(await verify(payment)).toMatchObject({ invalidReason: 'invalid_exact_evm_nonce_already_used' })
    expect(await funded.chain.chainReader.balance(payTo)).toBe(before + 1000n)
  })

  test('answers carry no text of the node, which would hold the signature', async () => {
    const payment = await signPayment(payer, terms)
    await settle(payment)
    for (const answer of [await settle(payment), await verify(payment)]) {
      expect(JSON.stringify(answer)).not.toContain(payment.signature.slice(2, 40))
      expect(JSON.stringify(answer)).not.toContain('viem')
    }
  })

  const now = Math.floor(Date.now() / 1000)
  const pauper = freshAccount()
  test.each<[string, () => Promise<SignedPayment>, string]>([
    ['no money', () => signPayment(pauper, terms), 'invalid_exact_evm_insufficient_balance'],
    [
      'expired',
      () => signPayment(payer, terms, { validBefore: String(now - 10) }),
      'invalid_exact_evm_payload_authorization_valid_before',
    ],
    [
      'not yet valid',
      () => signPayment(payer, terms, { validAfter: String(now + 600), validBefore: String(now + 900) }),
      'invalid_exact_evm_payload_authorization_valid_after',
    ],
    [
      'another amount',
      () => signPayment(payer, terms, { value: '999' }),
      'invalid_exact_evm_payload_authorization_value_mismatch',
    ],
    [
      'another payee',
      () => signPayment(payer, terms, { to: pauper.address }),
      'invalid_exact_evm_recipient_mismatch',
    ],
    [
      'another signer',
      () => signPayment(pauper, terms, { from: payer.address }),
      'invalid_exact_evm_signature',
    ],
    ['canceled', () => signCanceled(), 'invalid_exact_evm_nonce_already_used'],
  ])('refuses a payment with %s', async (_what, make, reason) => {
    const payment = await make()
    const verified = await verify(payment)
    const settled = await settle(payment)
    expect([verified.isValid, settled.success, settled.transaction]).toEqual([false, false, ''])
    expect([verified.invalidReason, settled.errorReason]).toEqual([reason, reason])
  })

  async function signCanceled(): Promise<SignedPayment> {
    const payment = await signPayment(payer, terms)
    await funded.chain.transact(TOKEN, await cancelCall(payer, payment.transfer.nonce))
    return payment
  }

  test('refuses another token, without touching the chain', async () => {
    const { payload } = await signPayment(payer, terms)
    const { verify, settle } = funded.chain.facilitator
    const other = { ...terms, asset: payTo }
    expect(await verify(payload, other)).toMatchObject({ invalidReason: 'invalid_payment_requirements' })
    expect(await settle(payload, other)).toMatchObject({ errorReason: 'invalid_payment_requirements' })
  })

  test('settles 32 payments at once, and a payer without money among them delays no other', async () => {
    const good = await Promise.all(Array.from({ length: 32 }, () => signPayment(payer, terms)))
    const bad = await Promise.all(Array.from({ length: 8 }, () => signPayment(pauper, terms)))
    const mixed = good.flatMap((payment, i) => [
      payment,
      ...(i % 4 === 0 ? [bad[i / 4] as SignedPayment] : []),
    ])
    const before = await funded.chain.chainReader.balance(payTo)
    const outcomes = await Promise.all(mixed.map(settle))
    expect(outcomes.filter(({ success }) => success)).toHaveLength(32)
    const reasons = new Set(outcomes.filter(({ success }) => !success).map(({ errorReason }) => errorReason))
    expect([...reasons]).toEqual(['invalid_exact_evm_insufficient_balance'])
    expect(await funded.chain.chainReader.balance(payTo)).toBe(before + 32_000n)
    const traces = await Promise.all(good.map((payment) => funded.chain.chainReader.trace(queryFor(payment))))
    for (const trace of traces) expect(trace).toMatchObject({ kind: 'used', payments: [{}] })
  })
})
