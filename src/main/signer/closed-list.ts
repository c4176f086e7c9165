/**
 * The calls that the signer makes transactions of. It signs what it has encoded again, so that no byte is signed that
 * was not understood.
 */
import { eip3009ABI } from '@x402/evm'
import {
  type Abi,
  decodeFunctionData,
  encodeFunctionData,
  type Hex,
  isAddressEqual,
  parseAbi,
  toFunctionSelector,
} from 'viem'
import { CANCEL_DATA, type ContractCall, type TransactionCall } from '../../payments/chain/contract-call.ts'
import { batchOf, partsOf } from '../../payments/chain/settlement-calls.ts'
import type { Network } from '../../payments/networks/network.ts'

export interface ListedCall {
  readonly call: TransactionCall
  readonly mostGas: bigint
}

const CANCEL_GAS = 60_000n
/** An act of payment channels, or a payment that a contract wallet's code judges. */
const LONE_GAS = 720_000n
const PAYMENT_GAS = 120_000n
/** Of a batch, beside its payments. */
const BATCH_GAS = 400_000n

const TRANSFERS = eip3009ABI.filter(({ name }) => name === 'transferWithAuthorization') as unknown as Abi

const CHANNEL_CONFIG =
  'struct ChannelConfig { address payer; address payerAuthorizer; address receiver; address receiverAuthorizer; address token; uint40 withdrawDelay; bytes32 salt; }'
/** What a service does to the channels' contract: never `claim` or `refund`, which need no signature of the authorizer. */
const CHANNEL_ACTS = parseAbi([
  CHANNEL_CONFIG,
  'struct Voucher { ChannelConfig channel; uint128 maxClaimableAmount; }',
  'struct VoucherClaim { Voucher voucher; bytes signature; uint128 totalClaimed; }',
  'function deposit(ChannelConfig config, uint128 amount, address collector, bytes collectorData)',
  'function claimWithSignature(VoucherClaim[] voucherClaims, bytes authorizerSignature)',
  'function settle(address receiver, address token)',
  'function refundWithSignature(ChannelConfig config, uint128 amount, uint256 nonce, bytes receiverAuthorizerSignature)',
])
const MULTICALL = parseAbi(['function multicall(bytes[] data)'])

/** Returns the call as it may be signed, or null if it is not on the list; `account` sends it. */
export function listedCall(
  call: TransactionCall,
  { token, contracts }: Network,
  account: Hex,
): ListedCall | null {
  const { to } = call
  const rebuilt = (data: Hex | null, mostGas: bigint): ListedCall | null =>
    data === null || data !== call.data.toLowerCase() ? null : { call: { to, data }, mostGas }
  const transfer = (part: ContractCall) =>
    isAddressEqual(part.to, token.address) ? encodedAgain(TRANSFERS, part.data) : null

  const isTo = (address: Hex) => to !== null && isAddressEqual(to, address)
  if (isTo(account)) return rebuilt(CANCEL_DATA, CANCEL_GAS)
  if (isTo(contracts.channels)) return rebuilt(channelAct(call.data), LONE_GAS)
  if (isTo(token.address)) return rebuilt(encodedAgain(TRANSFERS, call.data), LONE_GAS)
  const parts = partsIn(call)
  const data = parts.map(transfer)
  if (parts.length === 0 || data.includes(null)) return null
  const payments = parts.map((part, index) => ({ to: part.to, data: data[index] as Hex }))
  const batch = batchOf(payments, to === null ? 'sent along' : 'deployed', 'settle')
  const gas = BATCH_GAS + PAYMENT_GAS * BigInt(parts.length)
  return batch.to?.toLowerCase() === to?.toLowerCase() ? rebuilt(batch.data.toLowerCase() as Hex, gas) : null
}

/** A refund of what is claimed just before it is both in one `multicall`. */
function channelAct(data: Hex): Hex | null {
  const acts = argsOf(MULTICALL, data)?.[0] as readonly Hex[] | undefined
  if (acts === undefined) return encodedAgain(CHANNEL_ACTS, data)
  const again = acts.map((act) => encodedAgain(CHANNEL_ACTS, act))
  return again.includes(null) ? null : encodeFunctionData({ abi: MULTICALL, args: [again as Hex[]] })
}

function encodedAgain(abi: Abi, data: Hex): Hex | null {
  const item = abi.find((each) => each.type === 'function' && toFunctionSelector(each) === data.slice(0, 10))
  const args = item === undefined ? undefined : argsOf([item], data)
  return args === undefined ? null : (encodeFunctionData({ abi: [item] as Abi, args }) as Hex)
}

function argsOf(abi: Abi, data: Hex): readonly unknown[] | undefined {
  try {
    return decodeFunctionData({ abi, data }).args as readonly unknown[] | undefined
  } catch {
    return undefined
  }
}

function partsIn(call: TransactionCall): readonly ContractCall[] {
  try {
    const parts = partsOf(call)
    return parts[0]?.data === call.data ? [] : parts
  } catch {
    return []
  }
}
