import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Abi, encodeFunctionData, type Hex, toFunctionSelector, toHex } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CONTRACTS, compileContract } from '../../../scripts/compile-contracts.ts'
import { CHANNEL_SETTLEMENT, DEPOSIT_COLLECTOR, TOKEN } from '../../../src/sandbox/addresses.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import {
  type ChannelChain,
  type ChannelConfig,
  claimOf,
  depositArgs,
  idOf,
  SETTLEMENT_ABI,
  signBatch,
  signRefund,
  startChannelChain,
  voucherOf,
} from '../../support/channel-chain.ts'

describe('the committed stand-ins', () => {
  test.each([
    'StandInSettlement',
    'StandInCollector',
  ] as const)('%s compiles to its file, byte for byte', (name) => {
    expect(compileContract(name)).toBe(readFileSync(CONTRACTS[name][1], 'utf8'))
  })

  test('every function of the package is there, with the same selector and the same outputs', async () => {
    const ours = new Map(
      SETTLEMENT_ABI.flatMap((item) => (item.type === 'function' ? [[toFunctionSelector(item), item]] : [])),
    )
    for (const item of await packageAbi()) {
      if (item.type !== 'function') continue
      const mine = ours.get(toFunctionSelector(item))
      expect(mine?.name, item.name).toBe(item.name)
      expect(
        mine?.outputs.map(({ type }) => type),
        item.name,
      ).toEqual(item.outputs.map(({ type }) => type))
    }
  })
})

describe('the rules of the settlement contract', () => {
  const payer = freshAccount()
  const authorizer = freshAccount()
  const receiver = freshAccount().address
  const stranger = freshAccount().address
  let chain: ChannelChain
  let salts = 0n

  /** A channel of its own for each test. */
  const config = (fields: Partial<ChannelConfig> = {}): ChannelConfig => {
    salts += 1n
    return {
      payer: payer.address,
      payerAuthorizer: payer.address,
      receiver,
      receiverAuthorizer: authorizer.address,
      token: TOKEN,
      withdrawDelay: 86_400,
      salt: toHex(salts, { size: 32 }),
      ...fields,
    }
  }
  const open = async (amount: bigint, fields: Partial<ChannelConfig> = {}) => {
    const channel = config(fields)
    await chain.send(stranger, 'deposit', await depositArgs(payer, channel, amount))
    return channel
  }
  const held = (address: Hex) => chain.chainReader.balance(address)

  beforeAll(async () => {
    chain = await startChannelChain()
    await chain.fund(payer.address, 100_000_000n)
  })
  afterAll(() => chain.stop())

  test('the code is in its places and has neither immutables nor state to begin with', async () => {
    for (const [address, name] of [
      [CHANNEL_SETTLEMENT, 'StandInSettlement'],
      [DEPOSIT_COLLECTOR, 'StandInCollector'],
    ] as const)
      expect(await callRpc(chain.rpcUrl, 'eth_getCode', [address, 'latest'])).toBe(
        JSON.parse(readFileSync(CONTRACTS[name][1], 'utf8')).runtimeBytecode,
      )
  })

  test('ids and digests are those of the stock client', async () => {
    const channel = config()
    expect(await chain.read('getChannelId', [channel])).toBe(idOf(channel))
    expect(idOf({ ...channel, withdrawDelay: 86_401 })).not.toBe(idOf(channel))
  })

  describe('deposits', () => {
    test('anybody may send one that the payer signed; it tops up as well; each signature works once', async () => {
      const channel = config()
      const args = await depositArgs(payer, channel, 250_000n)
      const before = await held(payer.address)
      expect(await chain.refusal(stranger, 'deposit', args)).toBe('accepted')
      expect(await chain.channel(channel)).toEqual({ balance: 250_000n, totalClaimed: 0n })
      expect(await held(payer.address)).toBe(before - 250_000n)
      expect(await chain.refusal(stranger, 'deposit', args)).toContain('used or canceled')
      await chain.send(stranger, 'deposit', await depositArgs(payer, channel, 1_000n))
      expect(await chain.channel(channel)).toEqual({ balance: 251_000n, totalClaimed: 0n })
    })

    test('a signature is for one channel and one amount', async () => {
      const [, amount, collector, data] = await depositArgs(payer, config(), 1_000n)
      const other = config()
      expect(await chain.refusal(stranger, 'deposit', [other, amount, collector, data])).toContain(
        'invalid signature',
      )
      const [channel, , , signed] = await depositArgs(payer, other, 1_000n)
      expect(await chain.refusal(stranger, 'deposit', [channel, 2_000n, collector, signed])).toContain(
        'invalid signature',
      )
    })

    test('configurations and amounts out of range are refused', async () => {
      const zeroAddress: Hex = `0x${'00'.repeat(20)}`
      const cases: [Partial<ChannelConfig>, bigint, string][] = [
        [{ receiver: zeroAddress }, 1_000n, 'InvalidChannel'],
        [{ receiverAuthorizer: zeroAddress }, 1_000n, 'InvalidChannel'],
        [{ payer: zeroAddress }, 1_000n, 'InvalidChannel'],
        [{ token: zeroAddress }, 1_000n, 'InvalidChannel'],
        [{ withdrawDelay: 899 }, 1_000n, 'WithdrawDelayOutOfRange'],
        [{ withdrawDelay: 2_592_001 }, 1_000n, 'WithdrawDelayOutOfRange'],
        [{}, 0n, 'ZeroDeposit'],
      ]
      for (const [fields, amount, error] of cases) {
        const channel = config(fields)
        const args = [channel, amount, DEPOSIT_COLLECTOR, '0x']
        expect(await chain.refusal(stranger, 'deposit', args), error).toBe(error)
      }
      const none = [config(), 1n, zeroAddress, '0x']
      expect(await chain.refusal(stranger, 'deposit', none)).toBe('InvalidCollector')
    })

    test('a collector that brings nothing makes no balance; ours works for the settlement contract alone', async () => {
      // An address without code would fail already; the token has code and no such function.
      const channel = config()
      expect(await chain.refusal(stranger, 'deposit', [channel, 1n, TOKEN, '0x'])).not.toBe('accepted')
      const collect = encodeFunctionData({
        abi: COLLECTOR_ABI,
        functionName: 'collect',
        args: [payer.address, TOKEN, 1_000n, idOf(channel), '0x'],
      })
      await expect(chain.transact(DEPOSIT_COLLECTOR, collect)).rejects.toThrow('execution reverted')
      expect(await chain.channel(channel)).toEqual({ balance: 0n, totalClaimed: 0n })
    })
  })

  describe('claims', () => {
    test('the receiver, its authorizer, or an account with its signature may claim; no other may', async () => {
      const channel = await open(10_000n)
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(payer, channel, 1_000n)]])).toBe(
        'accepted',
      )
      expect(
        await chain.refusal(authorizer.address, 'claim', [[await claimOf(payer, channel, 2_000n)]]),
      ).toBe('accepted')
      const claims = [await claimOf(payer, channel, 3_000n)]
      expect(await chain.refusal(stranger, 'claim', [claims])).toBe('NotAuthorizedToClaim')
      expect(await chain.refusal(payer.address, 'claim', [claims])).toBe('NotAuthorizedToClaim')
      const forged = await signBatch(payer, claims)
      expect(await chain.refusal(stranger, 'claimWithSignature', [claims, forged])).toBe('InvalidSignature')
      const signed = await signBatch(authorizer, claims)
      expect(await chain.refusal(stranger, 'claimWithSignature', [claims, signed])).toBe('accepted')
      expect(await chain.channel(channel)).toEqual({ balance: 10_000n, totalClaimed: 3_000n })
    })

    test('what is claimed never falls, and an old voucher is no fault', async () => {
      const channel = await open(10_000n)
      await chain.send(receiver, 'claim', [[await claimOf(payer, channel, 5_000n)]])
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(payer, channel, 4_000n)]])).toBe(
        'accepted',
      )
      expect(await chain.channel(channel)).toEqual({ balance: 10_000n, totalClaimed: 5_000n })
    })

    test('nothing beyond a signed voucher, nor beyond the deposit, can be taken', async () => {
      const channel = await open(10_000n)
      const beyond = { ...(await claimOf(payer, channel, 1_000n)), totalClaimed: 1_001n }
      expect(await chain.refusal(receiver, 'claim', [[beyond]])).toBe('ClaimExceedsCeiling')
      const raised = { ...beyond, voucher: { channel, maxClaimableAmount: 1_001n } }
      expect(await chain.refusal(receiver, 'claim', [[raised]])).toBe('InvalidSignature')
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(payer, channel, 10_001n)]])).toBe(
        'ClaimExceedsBalance',
      )
      const other = await open(10_000n)
      const moved = {
        ...(await claimOf(payer, channel, 1_000n)),
        voucher: { channel: other, maxClaimableAmount: 1_000n },
      }
      expect(await chain.refusal(receiver, 'claim', [[moved]])).toBe('InvalidSignature')
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(freshAccount(), channel, 1_000n)]])).toBe(
        'InvalidSignature',
      )
      expect(await chain.channel(channel)).toEqual({ balance: 10_000n, totalClaimed: 0n })
    })

    test('less than the voucher may be claimed', async () => {
      const channel = await open(10_000n)
      await chain.send(receiver, 'claim', [[await claimOf(payer, channel, 9_000n, 2_000n)]])
      expect(await chain.channel(channel)).toEqual({ balance: 10_000n, totalClaimed: 2_000n })
    })

    test('a batch is all or nothing, of one authorizer, and not empty', async () => {
      const one = await open(10_000n)
      const two = await open(10_000n)
      const claims = [await claimOf(payer, one, 1_000n), await claimOf(payer, two, 2_000n)]
      expect(
        await chain.refusal(stranger, 'claimWithSignature', [claims, await signBatch(authorizer, claims)]),
      ).toBe('accepted')
      const bad = [await claimOf(payer, one, 3_000n), await claimOf(payer, two, 10_001n)]
      expect(
        await chain.refusal(stranger, 'claimWithSignature', [bad, await signBatch(authorizer, bad)]),
      ).toBe('ClaimExceedsBalance')
      expect(await chain.channel(one)).toEqual({ balance: 10_000n, totalClaimed: 1_000n })
      const foreign = await open(10_000n, { receiverAuthorizer: freshAccount().address })
      const mixed = [await claimOf(payer, one, 3_000n), await claimOf(payer, foreign, 1_000n)]
      expect(
        await chain.refusal(stranger, 'claimWithSignature', [mixed, await signBatch(authorizer, mixed)]),
      ).toBe('NotReceiverAuthorizer')
      expect(await chain.refusal(receiver, 'claim', [[]])).toBe('EmptyBatch')
      expect(await chain.refusal(stranger, 'claimWithSignature', [[], '0x'])).toBe('EmptyBatch')
    })

    test('a key of the payer may sign for it; without one the payer itself signs', async () => {
      const voucherKey = freshAccount()
      const delegated = await open(10_000n, { payerAuthorizer: voucherKey.address })
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(payer, delegated, 1_000n)]])).toBe(
        'InvalidSignature',
      )
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(voucherKey, delegated, 1_000n)]])).toBe(
        'accepted',
      )
      const own = await open(10_000n, { payerAuthorizer: `0x${'00'.repeat(20)}` })
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(payer, own, 1_000n)]])).toBe('accepted')
    })
  })

  test('settling pays the receiver exactly what was claimed, once', async () => {
    const payee = freshAccount().address
    const channel = await open(10_000n, { receiver: payee })
    await chain.send(payee, 'claim', [[await claimOf(payer, channel, 4_000n)]])
    expect(await held(payee)).toBe(0n)
    await chain.send(stranger, 'settle', [payee, TOKEN])
    await chain.send(stranger, 'settle', [payee, TOKEN])
    expect(await held(payee)).toBe(4_000n)
    expect(await chain.read('receivers', [payee, TOKEN])).toEqual([4_000n, 4_000n])
  })

  describe('refunds', () => {
    test('the receiving side may refund what is not claimed, never more', async () => {
      const channel = await open(10_000n)
      await chain.send(receiver, 'claim', [[await claimOf(payer, channel, 3_000n)]])
      expect(await chain.refusal(payer.address, 'refund', [channel, 1_000n])).toBe('NotAuthorizedToRefund')
      const before = await held(payer.address)
      expect(await chain.refusal(receiver, 'refund', [channel, 50_000n])).toBe('accepted')
      expect(await held(payer.address)).toBe(before + 7_000n)
      expect(await chain.channel(channel)).toEqual({ balance: 3_000n, totalClaimed: 3_000n })
      expect(await chain.refusal(receiver, 'refund', [channel, 0n])).toBe('ZeroRefund')
    })

    test('a signed refund works once, for its nonce and amount', async () => {
      const channel = await open(10_000n)
      const signature = await signRefund(authorizer, channel, 1_000n, 0n)
      expect(await chain.refusal(stranger, 'refundWithSignature', [channel, 2_000n, 0n, signature])).toBe(
        'InvalidSignature',
      )
      expect(await chain.refusal(stranger, 'refundWithSignature', [channel, 1_000n, 0n, signature])).toBe(
        'accepted',
      )
      expect(await chain.refusal(stranger, 'refundWithSignature', [channel, 1_000n, 0n, signature])).toBe(
        'InvalidRefundNonce',
      )
      expect(await chain.read('refundNonce', [idOf(channel)])).toBe(1n)
    })

    test('claim and refund in one transaction, as the facilitator sends them', async () => {
      const channel = await open(10_000n)
      const claims = [await claimOf(payer, channel, 2_000n)]
      const calls = [
        encodeFunctionData({
          abi: SETTLEMENT_ABI,
          functionName: 'claimWithSignature',
          args: [claims, await signBatch(authorizer, claims)],
        }),
        encodeFunctionData({
          abi: SETTLEMENT_ABI,
          functionName: 'refundWithSignature',
          args: [channel, 8_000n, 0n, await signRefund(authorizer, channel, 8_000n, 0n)],
        }),
      ]
      expect(await chain.refusal(stranger, 'multicall', [calls])).toBe('accepted')
      expect(await chain.channel(channel)).toEqual({ balance: 2_000n, totalClaimed: 2_000n })
      expect(await chain.refusal(stranger, 'multicall', [calls])).toBe('InvalidRefundNonce')
    })
  })

  describe('withdrawals', () => {
    test('the payer leaves alone after the delay, with what is not claimed by then', async () => {
      const channel = await open(10_000n)
      const amount = 10_000n
      expect(await chain.refusal(receiver, 'initiateWithdraw', [channel, amount])).toBe('InvalidChannel')
      expect(await chain.refusal(payer.address, 'initiateWithdraw', [channel, 0n])).toBe('NothingToWithdraw')
      expect(await chain.refusal(payer.address, 'initiateWithdraw', [channel, 10_001n])).toBe(
        'WithdrawAmountExceedsAvailable',
      )
      expect(await chain.refusal(payer.address, 'finalizeWithdraw', [channel])).toBe('WithdrawalNotPending')
      await chain.send(payer.address, 'initiateWithdraw', [channel, amount])
      expect(await chain.refusal(payer.address, 'initiateWithdraw', [channel, 1n])).toBe(
        'WithdrawalAlreadyPending',
      )
      expect(await chain.refusal(payer.address, 'finalizeWithdraw', [channel])).toBe(
        'WithdrawDelayNotElapsed',
      )
      // Until then vouchers can be claimed, and the withdrawal gives way to them.
      await chain.send(receiver, 'claim', [[await claimOf(payer, channel, 4_000n)]])
      await chain.pass(86_401)
      expect(await chain.refusal(receiver, 'finalizeWithdraw', [channel])).toBe(
        'NotAuthorizedToFinalizeWithdraw',
      )
      const before = await held(payer.address)
      await chain.send(payer.address, 'finalizeWithdraw', [channel])
      expect(await held(payer.address)).toBe(before + 6_000n)
      expect(await chain.channel(channel)).toEqual({ balance: 4_000n, totalClaimed: 4_000n })
      expect(await chain.read('pendingWithdrawals', [idOf(channel)])).toEqual([0n, 0])
    })

    test('a voucher that is claimed after the withdrawal is worth nothing', async () => {
      const channel = await open(10_000n)
      await chain.send(payer.address, 'initiateWithdraw', [channel, 10_000n])
      await chain.pass(86_401)
      await chain.send(payer.address, 'finalizeWithdraw', [channel])
      expect(await chain.refusal(receiver, 'claim', [[await claimOf(payer, channel, 1_000n)]])).toBe(
        'ClaimExceedsBalance',
      )
    })

    test('a refund takes from the pending withdrawal, and ends it when it covers it', async () => {
      const channel = await open(10_000n)
      await chain.send(payer.address, 'initiateWithdraw', [channel, 6_000n])
      await chain.send(receiver, 'refund', [channel, 1_000n])
      expect(((await chain.read('pendingWithdrawals', [idOf(channel)])) as [bigint, number])[0]).toBe(5_000n)
      await chain.send(receiver, 'refund', [channel, 5_000n])
      expect(await chain.read('pendingWithdrawals', [idOf(channel)])).toEqual([0n, 0])
      expect(await chain.channel(channel)).toEqual({ balance: 4_000n, totalClaimed: 0n })
    })
  })

  test('vouchers of a longer signature, a high s or another v are refused', async () => {
    const channel = await open(10_000n)
    const signature = await voucherOf(payer, channel, 1_000n)
    const v = signature.slice(-2) === '1b' ? '00' : '01'
    for (const bent of [`${signature}00`, `${signature.slice(0, -2)}${v}`, '0x'] as Hex[]) {
      const claim = {
        voucher: { channel, maxClaimableAmount: 1_000n },
        signature: bent,
        totalClaimed: 1_000n,
      }
      expect(await chain.refusal(receiver, 'claim', [[claim]])).toBe('InvalidSignature')
    }
  })
})

/** The ABI the package works with; it exports none, so it is read from the file. */
async function packageAbi(): Promise<Abi> {
  const folder = join(dirname(createRequire(import.meta.url).resolve('@x402/evm')), '..', 'esm')
  const chunk = readdirSync(folder).find(
    (name) =>
      name.endsWith('.mjs') && readFileSync(join(folder, name), 'utf8').includes('var batchSettlementABI'),
  )
  const module = await import(pathToFileURL(join(folder, chunk ?? '')).href)
  return module.batchSettlementABI
}

const COLLECTOR_ABI = JSON.parse(readFileSync(CONTRACTS.StandInCollector[1], 'utf8')).abi
