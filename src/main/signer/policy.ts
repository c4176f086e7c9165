/** What the signer signs: forms of this service alone, built again from what was asked. */

import { claimBatchTypes, refundTypes } from '@x402/evm'
import { type Hex, isAddress, isAddressEqual, isHex, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CANCEL_DATA, type ContractCall, type TransactionCall } from '../../payments/chain/contract-call.ts'
import { authorizationOf, partsOf } from '../../payments/chain/settlement-calls.ts'
import { channelDomain } from '../../payments/channels/voucher/digests.ts'
import type { Network } from '../../payments/networks/network.ts'
import type { SignerGreeting } from '../../payments/signing/remote-signer.ts'
import type { JwsKey } from '../../receipts/jws-key.ts'
import { isObject, type JsonObject } from '../../values/json.ts'
import type { GasBudget } from './gas-budget.ts'

export interface SignerKeys {
  readonly settlement: Hex | null
  readonly authorizer: Hex | null
  readonly receipt: JwsKey | null
  readonly card: JwsKey | null
}

/** A signature, and what the log says of it. */
export interface Signed {
  readonly value: unknown
  readonly form: string
  readonly transaction?: Hex
}

/** Thrown for what is not signed; the message quotes nothing of the request. */
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

export function createPolicy(network: Network, keys: SignerKeys, budget: GasBudget) {
  const [settlement, authorizer] = [keys.settlement, keys.authorizer].map((key) =>
    key === null ? null : privateKeyToAccount(key),
  )
  const { token, contracts } = network
  const isTransfer = ({ to, data }: ContractCall) =>
    isAddressEqual(to, token.address) && authorizationOf(data) !== undefined

  const isOurs = (call: TransactionCall): boolean => {
    const { to, data } = call
    if (to !== null && isAddressEqual(to, contracts.channels)) return true
    if (to !== null && isAddressEqual(to, settlement?.address as Hex)) return data === CANCEL_DATA
    const parts = partsOf(call)
    return parts.length > 0 && parts.every(isTransfer)
  }

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
    if (!isOurs({ to, data })) throw new Refused('not a call of this service')
    const worst = gas * maxFeePerGas + BigInt(data.length / 2) * DATA_FEE
    if (!budget.take(worst)) throw new Refused('the budget of the day is spent')
    const value = await settlement.signTransaction({
      ...{ type: 'eip1559', chainId: network.chainId, nonce: Number(nonce), value: 0n },
      ...{ gas, maxFeePerGas, maxPriorityFeePerGas, to, data },
    })
    return { value, form: 'transaction', transaction: keccak256(value) }
  }

  const typed = async ({ key, primaryType, message }: JsonObject): Promise<Signed> => {
    if (authorizer == null || key !== 'authorizer') throw new Refused('no such key')
    const types =
      primaryType === 'ClaimBatch' ? claimBatchTypes : primaryType === 'Refund' ? refundTypes : null
    if (types === null || !isObject(message)) throw new Refused('not a form of this service')
    const form = { domain: channelDomain(network), types, primaryType, message }
    return { value: await authorizer.signTypedData(form as never), form: String(primaryType) }
  }

  const jws = async ({ key, input }: JsonObject): Promise<Signed> => {
    const held = key === 'receipt' || key === 'card' ? keys[key] : null
    if (held === null) throw new Refused('no such key')
    const parts = typeof input === 'string' ? input.split('.') : []
    const [header, payload] = parts.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    if (parts.length !== 2 || !isObject(header) || !isObject(payload)) throw new Refused('not a JWS')
    const form = key === 'card' ? cardForm(header, payload) : receiptForm(header, payload, network.id)
    return { value: await held.sign(String(input)), form }
  }

  const jwkOf = (key: 'receipt' | 'card') => keys[key]?.publicKey.export({ format: 'jwk' }) ?? null
  const greeting = (): SignerGreeting => ({
    chainId: network.chainId,
    settlement: settlement?.address ?? null,
    authorizer: authorizer?.address ?? null,
    receipt: jwkOf('receipt'),
    card: jwkOf('card'),
    isSpent: budget.isSpent(),
  })

  const forms = { transaction, typed, jws }
  /** Rejects with {@link Refused} for what is not signed. */
  return async (asked: JsonObject): Promise<Signed | { readonly value: SignerGreeting }> => {
    if (asked.ask === 'keys') return { value: greeting() }
    if (!Object.hasOwn(forms, String(asked.ask))) throw new Refused('not a request')
    return forms[asked.ask as keyof typeof forms](asked)
  }
}

/** A whole number below 2^128, as JSON or decimal text. */
function amount(value: unknown): bigint {
  const text = String(value)
  if (!/^[0-9]{1,38}$/.test(text)) throw new Refused('not a transaction')
  return BigInt(text)
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
