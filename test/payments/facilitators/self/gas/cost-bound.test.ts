import { describe, expect, test } from 'vitest'
import { weiOf } from '../../../../../src/config/facilitator.ts'
import { SETTINGS } from '../../../../../src/config/settings.ts'
import { callOfAll } from '../../../../../src/payments/chain/settlement-calls.ts'
import {
  createCostBound,
  SettlementTooExpensive,
} from '../../../../../src/payments/facilitators/self/gas/cost-bound.ts'
import {
  SINGLE_SETTLEMENT_GAS,
  USUAL_SETTLEMENT_GAS,
} from '../../../../../src/payments/facilitators/self/gas/gas.ts'
import { BASE } from '../../../../../src/payments/networks/base.ts'
import { settlement } from '../../../../support/settlement-calls.ts'

const TOKEN = `0x${'11'.repeat(20)}` as const
/** Base fee 10, estimated with a fifth to spare, and a tip of 1. */
const FEES = { maxFeePerGas: 13n, maxPriorityFeePerGas: 1n }
const PRICE_NOW = 11n

const single = { call: { to: TOKEN, data: '0x' }, gas: SINGLE_SETTLEMENT_GAS } as const
const claim = { call: { to: BASE.contracts.channels, data: '0x' }, gas: SINGLE_SETTLEMENT_GAS * 5n } as const

const isPaused = (cost: ReturnType<typeof createCostBound>) => cost.refused() !== null

describe('the most that a settlement may cost', () => {
  test('does nothing if the operator sets none', () => {
    const cost = createCostBound(undefined)
    expect(cost.lower(FEES, single)).toEqual(FEES)
    expect(cost.isExceeded(FEES, single)).toBe(false)
    expect(isPaused(cost)).toBe(false)
  })

  test('lowers the fees to itself while the price of the moment is within it', () => {
    const cost = createCostBound(PRICE_NOW * SINGLE_SETTLEMENT_GAS)
    expect(cost.lower(FEES, single)).toEqual({ maxFeePerGas: PRICE_NOW, maxPriorityFeePerGas: 1n })
  })

  test('leaves fees alone that are far below it', () => {
    expect(createCostBound(100n * SINGLE_SETTLEMENT_GAS).lower(FEES, single)).toEqual(FEES)
  })

  test('is exceeded from a price above it until one within it', () => {
    const cost = createCostBound(PRICE_NOW * SINGLE_SETTLEMENT_GAS)
    const dear = { maxFeePerGas: 26n, maxPriorityFeePerGas: 2n }
    expect(() => cost.lower(dear, single)).toThrow(SettlementTooExpensive)
    expect(isPaused(cost)).toBe(true)
    cost.lower(FEES, single)
    expect(isPaused(cost)).toBe(false)
    expect(cost.isExceeded(dear, single)).toBe(true)
    expect(isPaused(cost)).toBe(true)
  })

  test('is no price of a sale where a wallet takes more gas than one, whose payment alone is refused', () => {
    const cost = createCostBound(PRICE_NOW * SINGLE_SETTLEMENT_GAS)
    const wallet = { ...single, gas: SINGLE_SETTLEMENT_GAS + 1n }
    expect(() => cost.lower(FEES, wallet)).toThrow(SettlementTooExpensive)
    expect([cost.isExceeded(FEES, wallet), isPaused(cost)]).toEqual([true, false])
    const dear = { maxFeePerGas: 26n, maxPriorityFeePerGas: 2n }
    for (const call of [single, wallet]) expect(() => cost.lower(dear, call)).toThrow(SettlementTooExpensive)
    expect(isPaused(cost)).toBe(true)
  })

  test('is still exceeded for a sale where what takes less gas, as giving a nonce up, is within it', () => {
    const cost = createCostBound(PRICE_NOW * SINGLE_SETTLEMENT_GAS)
    const dear = { maxFeePerGas: 26n, maxPriorityFeePerGas: 2n }
    expect(() => cost.lower(dear, single)).toThrow(SettlementTooExpensive)
    for (const gas of [21_000n, SINGLE_SETTLEMENT_GAS - 1n]) cost.lower(FEES, { ...single, gas })
    expect(isPaused(cost)).toBe(true)
    cost.lower(FEES, single)
    expect(isPaused(cost)).toBe(false)
  })

  test('is that of a usual sale, where giving a nonce up is what was refused', () => {
    const cost = createCostBound(1n)
    expect(() => cost.lower(FEES, { ...single, gas: 21_000n })).toThrow(SettlementTooExpensive)
    expect(cost.refused()).toEqual({ call: single.call, gas: USUAL_SETTLEMENT_GAS })
  })

  test('allows a batch as much as its settlements alone, and takes the data fee off', () => {
    const cost = createCostBound(PRICE_NOW * SINGLE_SETTLEMENT_GAS)
    const calls = [1, 2, 3].map((payer) => settlement(payer))
    const batch = { call: callOfAll(calls, 'deployed'), gas: 3n * SINGLE_SETTLEMENT_GAS }
    expect(cost.lower(FEES, batch).maxFeePerGas).toBe(PRICE_NOW)
    expect(() => cost.lower(FEES, { ...batch, dataFee: 1n })).toThrow(SettlementTooExpensive)
    expect(() => cost.lower(FEES, { ...batch, gas: batch.gas + 1n })).toThrow(SettlementTooExpensive)
    const cheap = { maxFeePerGas: 3n, maxPriorityFeePerGas: 3n }
    const dataFee = 8n * 3n * SINGLE_SETTLEMENT_GAS
    expect(cost.lower(cheap, { ...batch, dataFee })).toEqual(cheap)
    expect(cost.lower({ ...cheap, maxFeePerGas: 3n }, { ...batch, dataFee: dataFee - 1n })).toEqual(cheap)
    expect(() => cost.lower(cheap, { ...batch, dataFee: dataFee + 1n })).toThrow(SettlementTooExpensive)
  })

  test('leaves no gas where the data alone costs as much', () => {
    const cost = createCostBound(7n)
    for (const dataFee of [7n, 8n, 1_000_000n]) {
      expect(() => cost.lower(FEES, { ...single, dataFee })).toThrow(SettlementTooExpensive)
      expect(cost.isExceeded({ maxFeePerGas: 1n, maxPriorityFeePerGas: 0n }, { ...single, dataFee })).toBe(
        true,
      )
      expect(cost.isExceeded({ maxFeePerGas: 0n, maxPriorityFeePerGas: 0n }, { ...single, dataFee })).toBe(
        false,
      )
    }
  })

  test('is exceeded by a price above it, not by one at it, and by nothing else', () => {
    const cost = createCostBound(PRICE_NOW * SINGLE_SETTLEMENT_GAS)
    const at = (maxFeePerGas: bigint) => cost.isExceeded({ maxFeePerGas, maxPriorityFeePerGas: 1n }, single)
    expect([at(PRICE_NOW), isPaused(cost)]).toEqual([false, false])
    expect([at(PRICE_NOW + 1n), isPaused(cost)]).toEqual([true, true])
    expect([at(PRICE_NOW), isPaused(cost)]).toEqual([false, true])
  })

  test('bounds an act of channels, which pays for many calls, by the price of gas alone', () => {
    const cost = createCostBound(PRICE_NOW * SINGLE_SETTLEMENT_GAS)
    expect(cost.lower(FEES, claim).maxFeePerGas).toBe(PRICE_NOW)
    expect(() => cost.lower(FEES, { ...claim, call: { to: TOKEN, data: '0x' } })).toThrow(
      SettlementTooExpensive,
    )
  })

  // Base's least fee is 0.005 gwei, and its nodes name a tip of 0.001 (November 2026).
  test('allows by default a usual sale at the least fee of Base', () => {
    const gwei = 1_000_000_000n
    const fees = { maxFeePerGas: (gwei * 7n) / 1_000n, maxPriorityFeePerGas: gwei / 1_000n }
    const { SETTLEMENT_MAX_COST_USD, SETTLEMENT_ETH_USD } = SETTINGS
    const cost = createCostBound(
      weiOf(SETTLEMENT_MAX_COST_USD.default as bigint, BigInt(SETTLEMENT_ETH_USD.default as number)),
    )
    expect(cost.lower(fees, { ...single, gas: USUAL_SETTLEMENT_GAS })).toEqual(fees)
    expect(isPaused(cost)).toBe(false)
  })
})
