import { randomBytes } from 'node:crypto'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { authorizationTypes, eip3009ABI } from '@x402/evm'
import { encodeFunctionData, type Hex, type PrivateKeyAccount, parseAbi, parseSignature, toHex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { BASE_CHAIN_ID, TOKEN } from '../../src/sandbox/addresses.ts'
import { MULTICALL3 } from './multicall3.ts'

/** Signed fields of an EIP-3009 transfer, as x402 carries them. */
export interface SignedTransfer {
  readonly from: Hex
  readonly to: Hex
  readonly value: string
  readonly validAfter: string
  readonly validBefore: string
  readonly nonce: Hex
}

export interface SignedPayment {
  readonly payload: PaymentPayload
  readonly requirements: PaymentRequirements
  readonly transfer: SignedTransfer
  readonly signature: Hex
}

const DOMAIN = { name: 'USD Coin', version: '2', chainId: BASE_CHAIN_ID, verifyingContract: TOKEN } as const
const CANCEL = { CancelAuthorization: [bytes('authorizer', 'address'), bytes('nonce', 'bytes32')] } as const
const EXTRA = parseAbi([
  'function cancelAuthorization(address authorizer, bytes32 nonce, bytes signature)',
  'function tryAggregate(bool requireSuccess, (address target, bytes callData)[] calls)',
])

function bytes(name: string, type: string) {
  return { name, type }
}

/** An account with a fresh key. */
export function freshAccount(): PrivateKeyAccount {
  return privateKeyToAccount(generatePrivateKey())
}

/** Terms for one call. */
export function termsFor(payTo: Hex, amount = '1000'): PaymentRequirements {
  return {
    scheme: 'exact',
    network: `eip155:${BASE_CHAIN_ID}`,
    amount,
    asset: TOKEN,
    payTo,
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
  }
}

/** Signs a payment by the terms, with some fields changed. */
export async function signPayment(
  account: PrivateKeyAccount,
  requirements: PaymentRequirements,
  fields: Partial<SignedTransfer> = {},
): Promise<SignedPayment> {
  const transfer: SignedTransfer = {
    from: account.address,
    to: requirements.payTo as Hex,
    value: requirements.amount,
    validAfter: '0',
    validBefore: String(Math.floor(Date.now() / 1000) + 120),
    nonce: toHex(randomBytes(32)),
    ...fields,
  }
  const signature = await account.signTypedData({
    domain: DOMAIN,
    types: authorizationTypes,
    primaryType: 'TransferWithAuthorization',
    message: asNumbers(transfer),
  })
  const payload: PaymentPayload = {
    x402Version: 2,
    accepted: requirements,
    payload: { authorization: transfer, signature },
  }
  return { payload, requirements, transfer, signature }
}

/** Calldata of the signed transfer, in the form with v, r and s. */
export function transferCall({ transfer, signature }: SignedPayment): Hex {
  const { r, s, v } = parseSignature(signature)
  const { from, to, value, validAfter, validBefore, nonce } = asNumbers(transfer)
  return encodeFunctionData({
    abi: eip3009ABI,
    functionName: 'transferWithAuthorization',
    args: [from, to, value, validAfter, validBefore, nonce, Number(v), r, s],
  })
}

/** Calldata that cancels an authorization with its owner's signature. */
export async function cancelCall(account: PrivateKeyAccount, nonce: Hex): Promise<Hex> {
  const signature = await account.signTypedData({
    domain: DOMAIN,
    types: CANCEL,
    primaryType: 'CancelAuthorization',
    message: { authorizer: account.address, nonce },
  })
  return encodeFunctionData({
    abi: EXTRA,
    functionName: 'cancelAuthorization',
    args: [account.address, nonce, signature],
  })
}

/** One transaction out of several calls to the token: where to send it, and its calldata. */
export function batchOf(...calls: Hex[]): [to: Hex, data: Hex] {
  const batch = calls.map((callData) => ({ target: TOKEN, callData }))
  return [MULTICALL3, encodeFunctionData({ abi: EXTRA, functionName: 'tryAggregate', args: [true, batch] })]
}

function asNumbers(transfer: SignedTransfer) {
  const { value, validAfter, validBefore, ...rest } = transfer
  return {
    ...rest,
    value: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
  }
}
