/** The data of Aggregator.sol: many authorizations of one token to one payee. */
import { type Hex, numberToHex } from 'viem'
import type { ContractCall } from '../contract-call.ts'

/** As the contract numbers them: 1 and 2 are for estimates and simulations, and are never signed. */
export const BATCH_MODES = { settle: 0, 'all or nothing': 1, report: 2 } as const
export type BatchMode = keyof typeof BATCH_MODES

/** The most gas of one call; an ordinary transfer takes up to 65,000. */
const CALL_GAS = 80_000

/** `transferWithAuthorization` with the signature in three parts. */
const TRANSFER = 'e3ee160e'
const CALL_DIGITS = 2 + 8 + 9 * 64
const HEAD_DIGITS = 2 * 44
const ITEM_DIGITS = 2 * 134
const ITEM = /^(.{40})(.{16})(.{10})(.{10})(.{64})(.{64})(.{64})$/
const FIRST_BIT = 1n << 255n

const word = (digits: string | bigint): string =>
  (typeof digits === 'bigint' ? digits.toString(16) : digits).padStart(64, '0')

function pack(data: string): string {
  const [payer, , value, after, before, nonce, v, r, s] = data.slice(10).match(/.{64}/g) as string[]
  const parity = BigInt(`0x${v}`) === 28n ? FIRST_BIT : 0n
  const times = `${value?.slice(-16)}${after?.slice(-10)}${before?.slice(-10)}`
  return `${payer?.slice(24)}${times}${nonce}${r}${word(BigInt(`0x${s}`) | parity)}`
}

function unpack(payee: string, item: string): Hex {
  const [, payer = '', value = '', after = '', before = '', nonce = '', r = '', vs = ''] =
    ITEM.exec(item) ?? []
  const signed = BigInt(`0x${vs}`)
  const [v, s] = signed >= FIRST_BIT ? [28n, signed - FIRST_BIT] : [27n, signed]
  return `0x${TRANSFER}${[payer, payee, value, after, before, nonce, v, r, s].map(word).join('')}`
}

const payeeOf = (data: string) => data.slice(10 + 64 + 24, 10 + 128)

/** What of these can leave in one batch with the first of them. */
export function packable<Item extends { readonly call: ContractCall }>(
  items: readonly Item[],
): readonly Item[] {
  const calls = items.map(({ call }) => ({ to: call.to.toLowerCase(), data: call.data.toLowerCase() }))
  const isWhole = ({ data }: { data: string }) =>
    data.length === CALL_DIGITS && unpack(payeeOf(data), pack(data)) === data
  const first = calls.find(isWhole)
  return items.filter((_, index) => {
    const call = calls[index] as { to: string; data: string }
    return isWhole(call) && call.to === first?.to && payeeOf(call.data) === payeeOf(first.data)
  })
}

/** Of calls that are all {@link packable}; without `0x`. */
export function packBatch(calls: readonly ContractCall[], mode: BatchMode): string {
  const [first] = calls
  if (first === undefined) throw new Error('a batch makes a call')
  const head = numberToHex(BATCH_MODES[mode] * 0x1000000 + CALL_GAS, { size: 4 }).slice(2)
  const data = calls.map((call) => call.data.toLowerCase())
  const items = data.map(pack).join('')
  return `${head}${first.to.slice(2).toLowerCase()}${payeeOf(data[0] as string)}${items}`
}

/** In lower case. */
export function unpackBatch(batch: string): readonly ContractCall[] {
  const [to, payee] = [batch.slice(8, 48), batch.slice(48, HEAD_DIGITS)]
  const items = batch.slice(HEAD_DIGITS).match(new RegExp(`.{${ITEM_DIGITS}}`, 'g')) ?? []
  return items.map((item) => ({ to: `0x${to}`, data: unpack(payee, item) }))
}

export const packedCount = (batch: string): number => Math.floor((batch.length - HEAD_DIGITS) / ITEM_DIGITS)
