/** What a facilitator of this process answers and refuses, whatever its session with the chain has seen. */
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import type { FacilitatorEvmSigner } from '@x402/evm'
import { BaseError, type Hex } from 'viem'
import { describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import {
  type ChainSession,
  holdsCode,
  throwOutage,
} from '../../../src/payments/facilitators/chain-session.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { createOwnFacilitator } from '../../../src/payments/facilitators/own-facilitator.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { freshAccount, signPayment, termsFor } from '../../support/chain-payments.ts'
import { createMemoryBackend } from '../../support/memory-chain/memory-backend.ts'
import { openMemorySession } from '../../support/memory-chain/memory-session.ts'

const OTHER = freshAccount().address
const NETWORK = 'eip155:8453'
const NO_WALLET = 'invalid_exact_evm_payload_signature'

interface Given {
  readonly contractWallets?: 'accept' | 'refuse'
  /** What the chain says of the payer's code. */
  readonly code?: Hex | undefined
  readonly outage?: unknown
  readonly hasSent?: boolean
  readonly minedAs?: Hex
  readonly reverts?: boolean
  /** Nothing is sent before it resolves. */
  readonly gate?: Promise<void>
}

/** The exact facilitator over a chain in memory whose sessions say what a test gives. */
async function bench(given: Given = {}) {
  const { chain, fund } = createMemoryBackend()
  const [payer, payTo] = [freshAccount(), freshAccount().address]
  await fund(payer.address, 10_000n)
  const opened: (PaymentPayload | undefined)[] = []
  const state = { ...given }
  const facilitator = createOwnFacilitator({
    network: NETWORK,
    token: TOKEN,
    contractWallets: given.contractWallets ?? 'accept',
    openSession: (payload) => {
      opened.push(payload)
      const session = openMemorySession(chain, OTHER)
      const { signer } = session
      return {
        ...session,
        signer: {
          ...signer,
          getCode: async ({ address }) =>
            address === payer.address ? state.code : signer.getCode({ address }),
          writeContract: async (args) => {
            await state.gate
            return signer.writeContract(args)
          },
          waitForTransactionReceipt: async (args) =>
            state.reverts ? { status: 'reverted', logs: [] } : signer.waitForTransactionReceipt(args),
        },
        outage: () => state.outage,
        hasSent: () => state.hasSent ?? session.hasSent(),
        minedAs: () => state.minedAs,
      }
    },
  })
  const sign = (terms = termsFor(payTo), by = payer) => signPayment(by, terms)
  return { facilitator, opened, state, payer, payTo, sign, pauper: freshAccount() }
}

describe('exact payments', () => {
  test('in another token are refused without a look at the chain', async () => {
    const { facilitator, sign, opened, payTo } = await bench()
    const { payload } = await sign()
    const other = { ...termsFor(payTo), asset: OTHER }
    expect(await facilitator.verify(payload, other)).toEqual({
      ...{ isValid: false, invalidReason: 'invalid_payment_requirements' },
    })
    expect(await facilitator.settle(payload, other)).toEqual({
      ...{ success: false, errorReason: 'invalid_payment_requirements', transaction: '', network: NETWORK },
    })
    expect(opened).toEqual([])
    const upper = { ...termsFor(payTo), asset: `0x${TOKEN.slice(2).toUpperCase()}` }
    expect(await facilitator.verify(payload, upper)).toMatchObject({ isValid: true })
  })

  test.each<[Given, boolean]>([
    [{ contractWallets: 'refuse', code: '0x60' }, true],
    [{ contractWallets: 'refuse', code: '0x' }, false],
    [{ contractWallets: 'refuse' }, false],
    [{ contractWallets: 'accept' }, false],
  ])('by a payer with %o are refused as a wallet: %s', async (given, isRefused) => {
    const { facilitator, sign, opened } = await bench(given)
    const { payload, requirements } = await sign()
    expect(await facilitator.verify(payload, requirements)).toMatchObject(
      isRefused ? { isValid: false, invalidReason: NO_WALLET } : { isValid: true },
    )
    expect(await facilitator.settle(payload, requirements)).toMatchObject(
      isRefused ? { success: false, errorReason: NO_WALLET, transaction: '' } : { success: true },
    )
    // Only a session that settles is opened for its payment.
    expect(opened.filter((each) => each !== undefined)).toEqual(isRefused ? [] : [payload])
  })

  test('that are being settled are refused, each by itself, until that is over', async () => {
    const gate = Promise.withResolvers<void>()
    const { facilitator, sign } = await bench({ gate: gate.promise })
    const [one, other] = [await sign(), await sign()]
    const settle = ({ payload, requirements }: typeof one) => facilitator.settle(payload, requirements)
    const first = settle(one)
    expect(await settle(one)).toEqual({
      ...{ success: false, errorReason: 'duplicate_settlement', transaction: '', network: NETWORK },
    })
    gate.resolve()
    expect(await settle(other)).toMatchObject({ success: true })
    expect(await first).toMatchObject({ success: true })
    expect(await settle(one)).toMatchObject({ errorReason: 'invalid_exact_evm_nonce_already_used' })
  })

  test('that were mined and reverted are not sent again, and those that were not mined are', async () => {
    for (const [minedAs, errorReason] of [
      ['0xab', 'duplicate_settlement'],
      [undefined, undefined],
    ] as const) {
      const { facilitator, sign, state } = await bench({
        ...{ reverts: true, hasSent: true, ...(minedAs === undefined ? {} : { minedAs }) },
      })
      const { payload, requirements } = await sign()
      const failed = await facilitator.settle(payload, requirements)
      expect(failed).toMatchObject({
        success: false,
        ...(minedAs === undefined ? {} : { transaction: minedAs }),
      })
      expect(failed).not.toHaveProperty('errorMessage')
      Object.assign(state, { reverts: false })
      expect((await facilitator.settle(payload, requirements)).errorReason).not.toBe(
        errorReason === undefined ? 'duplicate_settlement' : undefined,
      )
    }
  })

  test('are settled under the hash of what was mined', async () => {
    const { facilitator, sign } = await bench({ minedAs: '0xab' })
    const { payload, requirements } = await sign()
    expect(await facilitator.settle(payload, requirements)).toMatchObject({
      success: true,
      transaction: '0xab',
    })
    expect((await facilitator.settle(payload, requirements)).errorReason).toBe(
      'invalid_exact_evm_nonce_already_used',
    )
  })

  test('that fail while the chain is away are faults, unless something was sent or all went well', async () => {
    const outage = new ChainUnavailable('down')
    const { facilitator, sign, state, pauper, payTo } = await bench({ outage, hasSent: false })
    const bad = await sign(termsFor(payTo), pauper)
    const settle = () => facilitator.settle(bad.payload, bad.requirements)
    await expect(facilitator.verify(bad.payload, bad.requirements)).rejects.toThrow(ChainUnavailable)
    await expect(settle()).rejects.toThrow(ChainUnavailable)
    Object.assign(state, { hasSent: true })
    expect(await settle()).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
    })
    const good = await sign()
    expect(await facilitator.verify(good.payload, good.requirements)).toMatchObject({ isValid: true })
    Object.assign(state, { hasSent: false })
    expect(await facilitator.settle(good.payload, good.requirements)).toMatchObject({ success: true })
  })
})

describe('acts of channels', () => {
  const requirements = {
    scheme: 'batch-settlement',
    network: NETWORK,
    asset: TOKEN,
  } as unknown as PaymentRequirements
  const act = (payload: object) =>
    ({ x402Version: 2, accepted: requirements, payload }) as unknown as PaymentPayload
  const deposit = (payer: unknown) => act({ type: 'deposit', channelConfig: { payer } })

  function channels(given: Given = {}) {
    const [opened, asked] = [[] as unknown[], [] as Hex[]]
    const away = async () => Promise.reject(new Error('away'))
    const facilitator = createOwnFacilitator({
      channels: true,
      network: NETWORK,
      token: TOKEN,
      contractWallets: given.contractWallets ?? 'accept',
      openSession: (payload) => {
        opened.push(payload)
        return {
          signer: {
            getAddresses: () => [OTHER],
            getCode: async ({ address }: { address: Hex }) => {
              asked.push(address)
              return given.code
            },
            ...{ readContract: away, verifyTypedData: away, writeContract: away, sendTransaction: away },
            waitForTransactionReceipt: away,
          } as unknown as FacilitatorEvmSigner,
          outage: () => given.outage,
          hasSent: () => given.hasSent ?? false,
          minedAs: () => given.minedAs,
        }
      },
    })
    return { facilitator, opened, asked }
  }

  test('in another token are refused without a look at the chain', async () => {
    const { facilitator, opened } = channels()
    const other = { ...requirements, asset: OTHER }
    expect(await facilitator.verify(deposit(OTHER), other)).toEqual({
      ...{ isValid: false, invalidReason: 'invalid_payment_requirements' },
    })
    expect(await facilitator.settle(deposit(OTHER), other)).toEqual({
      ...{ success: false, errorReason: 'invalid_payment_requirements', transaction: '', network: NETWORK },
    })
    expect(opened).toEqual([])
  })

  test.each<[string, PaymentPayload, Given, boolean]>([
    ['a deposit of a payer with code', deposit(OTHER), { contractWallets: 'refuse', code: '0x60' }, true],
    ['a deposit of a payer without', deposit(OTHER), { contractWallets: 'refuse', code: '0x' }, false],
    ['a deposit where wallets are served', deposit(OTHER), { code: '0x60' }, false],
    ['a deposit without a payer', deposit(7), { contractWallets: 'refuse', code: '0x60' }, false],
    [
      'another act of such a payer',
      act({ type: 'refund', channelConfig: { payer: OTHER } }),
      { contractWallets: 'refuse', code: '0x60' },
      false,
    ],
    [
      'an act without a channel',
      act({ type: 'deposit' }),
      { contractWallets: 'refuse', code: '0x60' },
      false,
    ],
  ])('%s is refused as a wallet or not', async (_what, payload, given, isRefused) => {
    const { facilitator, opened } = channels(given)
    const outcome = await facilitator.settle(payload, requirements)
    const reason = 'invalid_batch_settlement_evm_receive_authorization_signature'
    expect(outcome).toMatchObject({ success: false, transaction: '' })
    expect(outcome.errorReason === reason).toBe(isRefused)
    expect(outcome).not.toHaveProperty('errorMessage')
    expect(opened.includes(payload)).toBe(!isRefused)
  })

  test('that fail while the chain is away are faults, unless something was sent', async () => {
    const outage = new ChainUnavailable('down')
    const { facilitator } = channels({ outage })
    await expect(facilitator.verify(deposit(OTHER), requirements)).rejects.toThrow(ChainUnavailable)
    await expect(facilitator.settle(deposit(OTHER), requirements)).rejects.toThrow(ChainUnavailable)
    const sent = channels({ outage, hasSent: true, minedAs: '0xab' })
    expect(await sent.facilitator.settle(deposit(OTHER), requirements)).toMatchObject({
      ...{ success: false, transaction: '0xab' },
    })
    const verified = await channels().facilitator.verify(deposit(OTHER), requirements)
    expect(verified.isValid).toBe(false)
    expect(verified).not.toHaveProperty('invalidMessage')
  })

  test('are supported beside single payments, and only where channels are served', async () => {
    const both = await channels().facilitator.getSupported()
    expect(both.kinds.map(({ scheme }) => scheme)).toEqual(['exact', 'batch-settlement'])
    const { facilitator } = await bench()
    const { kinds, extensions, signers } = await facilitator.getSupported()
    expect(kinds).toEqual([{ x402Version: 2, scheme: 'exact', network: NETWORK }])
    expect([extensions, signers]).toEqual([both.extensions, both.signers])
    await expect(facilitator.settle(deposit(OTHER), requirements)).rejects.toThrow('batch-settlement')
  })
})

describe('a session', () => {
  const session = (change: object) => ({ outage: () => undefined, ...change }) as unknown as ChainSession

  test('without an outage throws nothing; with one it says whether the chain or this process failed', () => {
    expect(() => throwOutage(session({}))).not.toThrow()
    for (const outage of [new BaseError('away'), new ChainUnavailable('away')])
      expect(() => throwOutage(session({ outage: () => outage }))).toThrow(
        expect.objectContaining({ name: 'ChainUnavailable', cause: outage }),
      )
    const cause = new Error('too expensive')
    expect(() => throwOutage(session({ outage: () => cause }))).toThrow(FacilitatorFault)
    expect(() => throwOutage(session({ outage: () => cause }))).toThrow(
      expect.objectContaining({ effect: 'not_sent', answered: false, cause }),
    )
  })

  test.each([
    [undefined, false],
    ['0x', false],
    ['0x60', true],
  ])('that reads the code %s holds code: %s', async (code, expected) => {
    const seen: unknown[] = []
    const getCode = async (question: unknown) => {
      seen.push(question)
      return code
    }
    expect(await holdsCode(session({ signer: { getCode } }), OTHER)).toBe(expected)
    expect(seen).toEqual([{ address: OTHER }])
    const away = session({ signer: { getCode: () => Promise.reject(new Error('away')) } })
    await expect(holdsCode(away, OTHER)).rejects.toThrow(ChainUnavailable)
  })
})
