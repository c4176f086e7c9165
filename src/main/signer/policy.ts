/** The rules of the signer: it signs only forms of this service, which it builds again from the request. */

import { claimBatchTypes, refundTypes } from '@x402/evm'
import { type Hex, isAddress, isHex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CANCEL_DATA } from '../../payments/chain/contract-call.ts'
import { channelDomain } from '../../payments/channels/voucher/digests.ts'
import type { Network } from '../../payments/networks/network.ts'
import type { SignerGreeting } from '../../payments/signing/remote-signer.ts'
import type { JwsKey } from '../../receipts/jws-key.ts'
import { WORD } from '../../values/hex.ts'
import { isObject, type JsonObject } from '../../values/json.ts'
import { listedCall } from './closed-list.ts'
import type { DayBudget } from './day-budget.ts'

export interface SignerKeys {
  readonly settlement: Hex | null
  readonly authorizer: Hex | null
  readonly receipt: JwsKey | null
  readonly card: JwsKey | null
}

export interface Signed {
  readonly value: unknown
  readonly form: string
  readonly transaction?: Hex
}

/** A request that the signer refuses; the message quotes nothing of it. */
export class Refused extends Error {}

const OFFER = ['version', 'resourceUrl', 'scheme', 'network', 'asset', 'payTo', 'amount', 'validUntil']
const RECEIPT = ['version', 'network', 'resourceUrl', 'payer', 'issuedAt', 'transaction', 'amount']
const MAY_HOLD = ['payTo', 'requestHash', 'resultHash']
/**
 * Wei for each byte of a transaction's data, beside its gas: Base's data fee at some 27 gwei of Ethereum's base fee
 * (OP stack, Fjord: scalar 2,269 x 16 x base fee / 10^6).
 */
const DATA_FEE = 10n ** 9n

export type Sign = ReturnType<typeof createPolicy>

export interface SignerBounds {
  /** In wei. */
  readonly gas: DayBudget
  /** In atomic units of USDC. */
  readonly refunds: DayBudget
  /** Wei for a unit of gas. */
  readonly mostPrice: bigint
}

export function createPolicy(network: Network, keys: SignerKeys, bounds: SignerBounds) {
  const [settlement, authorizer] = [keys.settlement, keys.authorizer].map((key) =>
    key === null ? null : privateKeyToAccount(key),
  )
  const transaction = async (asked: JsonObject): Promise<Signed> => {
    if (settlement == null || asked.key !== 'settlement') throw new Refused('no such key')
    const { to, data = CANCEL_DATA } = asked
    const isAddressed = typeof to === 'string' && isAddress(to, { strict: false })
    if (!(isAddressed || to === null) || !isHex(data)) throw new Refused('not a transaction')
    const [nonce, gas, maxFeePerGas, maxPriorityFeePerGas] = [
      asked.nonce,
      asked.gas,
      asked.maxFeePerGas,
      asked.maxPriorityFeePerGas,
    ].map(amount) as [bigint, bigint, bigint, bigint]
    const listed = listedCall({ to, data }, network, settlement.address)
    if (listed === null) throw new Refused('not a call of this service')
    if (gas > listed.mostGas) throw new Refused('more gas than such a call takes')
    if (maxFeePerGas > bounds.mostPrice || maxPriorityFeePerGas > maxFeePerGas)
      throw new Refused('a price of gas above the ceiling')
    const worst = gas * maxFeePerGas + BigInt(data.length / 2) * DATA_FEE
    if (!bounds.gas.take(worst)) throw new Refused('the budget of the day is spent')
    const value = await settlement.signTransaction({
      ...{ type: 'eip1559', chainId: network.chainId, nonce: Number(nonce), value: 0n },
      ...{ gas, maxFeePerGas, maxPriorityFeePerGas, ...listed.call },
    })
    return { value, form: 'transaction', transaction: keccak256(value) }
  }

  const typed = async ({ key, primaryType, message }: JsonObject): Promise<Signed> => {
    if (authorizer == null || key !== 'authorizer') throw new Refused('no such key')
    if (!isObject(message)) throw new Refused('not a form of this service')
    const domain = channelDomain(network)
    if (primaryType === 'ClaimBatch') {
      const claims = { claims: listOf(message.claims).map(claimEntry) }
      const form = { domain, types: claimBatchTypes, primaryType, message: claims } as const
      return { value: await authorizer.signTypedData(form), form: primaryType }
    }
    if (primaryType !== 'Refund') throw new Refused('not a form of this service')
    const refund = {
      channelId: bytes32(message.channelId),
      nonce: amount(message.nonce),
      amount: amount(message.amount),
    }
    if (!bounds.refunds.take(refund.amount)) throw new Refused('the refunds of the day are spent')
    const form = { domain, types: refundTypes, primaryType, message: refund } as const
    return { value: await authorizer.signTypedData(form), form: primaryType }
  }

  const jws = async ({ key, input }: JsonObject): Promise<Signed> => {
    const held = key === 'receipt' || key === 'card' ? keys[key] : null
    if (held === null) throw new Refused('no such key')
    const parts = typeof input === 'string' ? input.split('.') : []
    const [header, payload] = parts.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    if (!isObject(header) || !isObject(payload)) throw new Refused('not a JWS')
    const form = key === 'card' ? cardForm(header, payload) : receiptForm(header, payload, network.id)
    // What a reader would parse otherwise, as a member given twice, is not signed.
    const again = [header, payload]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.')
    if (again !== input) throw new Refused('not a JWS')
    return { value: await held.sign(again), form }
  }

  const jwkOf = (key: 'receipt' | 'card') => keys[key]?.publicKey.export({ format: 'jwk' }) ?? null
  const greeting = (): SignerGreeting => ({
    chainId: network.chainId,
    settlement: settlement?.address ?? null,
    authorizer: authorizer?.address ?? null,
    receipt: jwkOf('receipt'),
    card: jwkOf('card'),
    isSpent: bounds.gas.isSpent(),
  })

  const forms = { transaction, typed, jws }
  /** Rejects with {@link Refused} if no form matches the request. */
  return async (asked: JsonObject): Promise<Signed | { readonly value: SignerGreeting }> => {
    if (asked.ask === 'keys') return { value: greeting() }
    if (!Object.hasOwn(forms, String(asked.ask))) throw new Refused('not a request')
    return forms[asked.ask as keyof typeof forms](asked)
  }
}

function amount(value: unknown): bigint {
  const text = String(value)
  if (!/^[0-9]{1,38}$/.test(text)) throw new Refused('not a transaction')
  return BigInt(text)
}

function bytes32(value: unknown): Hex {
  if (typeof value !== 'string' || !WORD.test(value)) throw new Refused('not a form of this service')
  return value as Hex
}

/** Channels of one claim. */
const MOST_CLAIMS = 64

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > MOST_CLAIMS)
    throw new Refused('not a form of this service')
  return value
}

/** No more is claimed than the payer has signed for. */
function claimEntry(entry: unknown) {
  if (!isObject(entry)) throw new Refused('not a form of this service')
  const [maxClaimableAmount, totalClaimed] = [amount(entry.maxClaimableAmount), amount(entry.totalClaimed)]
  if (totalClaimed > maxClaimableAmount) throw new Refused('not a form of this service')
  return { channelId: bytes32(entry.channelId), maxClaimableAmount, totalClaimed }
}

const hasOnly = (object: JsonObject, needed: readonly string[], more: readonly string[] = []): boolean =>
  needed.every((name) => Object.hasOwn(object, name)) &&
  Object.keys(object).every((name) => needed.includes(name) || more.includes(name))

function receiptForm(header: JsonObject, payload: JsonObject, network: string): string {
  const isOurs = hasOnly(header, ['alg', 'kid']) && header.alg === 'EdDSA' && payload.network === network
  if (isOurs && hasOnly(payload, OFFER)) return 'offer'
  if (isOurs && hasOnly(payload, RECEIPT, MAY_HOLD)) return 'receipt'
  throw new Refused('not a form of this service')
}

function cardForm(header: JsonObject, payload: JsonObject): string {
  const isOurs = hasOnly(header, ['alg', 'kid', 'typ', 'jku']) && header.alg === 'ES256'
  if (isOurs && Array.isArray(payload.skills) && Array.isArray(payload.supportedInterfaces)) return 'card'
  throw new Refused('not a form of this service')
}
