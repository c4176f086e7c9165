import { authorizationTypes } from '@x402/evm'
import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { ErrorCode } from '../../src/errors.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../src/sandbox/addresses.ts'
import { freshAccount, type SignedTransfer, signPayment, termsFor } from '../support/chain-payments.ts'
import { encodeHeader } from '../support/payment-header.ts'

type Make = (account: PrivateKeyAccount, payTo: Hex) => Promise<string>

const OTHER: Hex = `0x${'12'.repeat(20)}`
const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

/** Payments that are no good, each made out in order but for one thing, and the code it is refused with. */
export function bentHeaders(): readonly [what: string, make: Make, code: ErrorCode][] {
  return [
    ['a lower amount, signed', signed({ value: '999' }), 'payment_terms_mismatch'],
    ['a higher amount, signed', signed({ value: '1001' }), 'payment_terms_mismatch'],
    ['another payee, signed', signed({ to: OTHER }), 'payment_terms_mismatch'],
    ['another amount, accepted', accepted({ amount: '999' }), 'payment_terms_mismatch'],
    ['another payee, accepted', accepted({ payTo: OTHER }), 'payment_terms_mismatch'],
    ['another asset, accepted', accepted({ asset: OTHER }), 'payment_terms_mismatch'],
    ['another network, accepted', accepted({ network: 'eip155:84532' }), 'payment_terms_mismatch'],
    ['another scheme, accepted', accepted({ scheme: 'upto' }), 'payment_terms_mismatch'],
    ['another chain in the domain', inDomain({ chainId: 1 }), 'payment_invalid_signature'],
    ['another token in the domain', inDomain({ verifyingContract: OTHER }), 'payment_invalid_signature'],
    ['another name in the domain', inDomain({ name: 'USDC' }), 'payment_invalid_signature'],
    ['another version in the domain', inDomain({ version: '1' }), 'payment_invalid_signature'],
    ['an expired one', signed({ validBefore: inSeconds(-1) }), 'payment_expired'],
    ['one with too little time left', signed({ validBefore: inSeconds(5) }), 'payment_expired'],
    [
      'one that is not yet valid',
      signed({ validAfter: inSeconds(60), validBefore: inSeconds(120) }),
      'payment_not_yet_valid',
    ],
    ['one valid for a year', signed({ validBefore: inSeconds(365 * 86_400) }), 'payment_valid_too_long'],
    ['a flipped bit in the signature', changed(flipBit), 'payment_invalid_signature'],
    [
      'a signature of zeros',
      changed((text) => `0x${'00'.repeat((text.length - 2) / 2)}`),
      'payment_invalid_signature',
    ],
    ['a short signature', changed((text) => text.slice(0, 20)), 'payment_invalid_signature'],
    ['a signature that is no hex', changed(() => 'signed'), 'payment_malformed'],
    [
      'another account’s name',
      async (account, payTo) => {
        const { payload } = await signPayment(account, termsFor(payTo))
        Object.assign(payload.payload.authorization as object, { from: freshAccount().address })
        return encodeHeader(payload)
      },
      'payment_invalid_signature',
    ],
  ]
}

function signed(fields: Partial<SignedTransfer>): Make {
  return async (account, payTo) => encodeHeader((await signPayment(account, termsFor(payTo), fields)).payload)
}

function accepted(terms: object): Make {
  return async (account, payTo) => {
    const { payload } = await signPayment(account, termsFor(payTo))
    return encodeHeader({ ...payload, accepted: { ...payload.accepted, ...terms } })
  }
}

function changed(change: (signature: string) => string): Make {
  return async (account, payTo) => {
    const { payload, signature } = await signPayment(account, termsFor(payTo))
    return encodeHeader({ ...payload, payload: { ...payload.payload, signature: change(signature) } })
  }
}

function inDomain(domain: object): Make {
  return async (account, payTo) => {
    const { payload, transfer } = await signPayment(account, termsFor(payTo))
    const signature = await account.signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: BASE_CHAIN_ID, verifyingContract: TOKEN, ...domain },
      types: authorizationTypes,
      primaryType: 'TransferWithAuthorization',
      message: {
        ...transfer,
        value: BigInt(transfer.value),
        validAfter: BigInt(transfer.validAfter),
        validBefore: BigInt(transfer.validBefore),
      },
    })
    return encodeHeader({ ...payload, payload: { ...payload.payload, signature } })
  }
}

function flipBit(signature: string): string {
  const digit = Number.parseInt(signature.slice(20, 21), 16) ^ 1
  return `${signature.slice(0, 20)}${digit.toString(16)}${signature.slice(21)}`
}
