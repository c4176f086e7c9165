import type { Hex } from 'viem'
import { WORD } from '../../hex.ts'
import { SANDBOX } from '../../payments/networks/sandbox.ts'
import { TRANSFER_TYPES, tokenDomain } from '../../sandbox/chain/token-typed-data.ts'

/** The only transfer that the sandbox's wallet signs (EIP-3009, TransferWithAuthorization). */
export interface TransferRules {
  readonly token: Hex
  readonly from: Hex
  readonly to: Hex
  /** Atomic units of one value, and the values of the longest list. */
  readonly price: bigint
  readonly mostValues: bigint
}

const UINT = /^(?:0|[1-9][0-9]{0,19})$/

/**
 * Reads the typed data of a page as JSON; null for anything but the allowed transfer. The signed message is rebuilt from
 * the rules and four members of the text, so nothing else in it can have a meaning.
 */
export function readTransfer(text: unknown, rules: TransferRules) {
  const { primaryType, domain, message } = parse(text)
  const { validAfter, validBefore, nonce } = message
  const fits =
    primaryType === 'TransferWithAuthorization' &&
    Number(domain.chainId) === SANDBOX.chainId &&
    same(domain.verifyingContract, rules.token) &&
    same(message.from, rules.from) &&
    same(message.to, rules.to) &&
    isPriceOfCall(message.value, rules) &&
    matches(validAfter, UINT) &&
    matches(validBefore, UINT) &&
    matches(nonce, WORD)
  if (!fits) return null
  return {
    domain: tokenDomain(rules.token),
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: {
      from: rules.from,
      to: rules.to,
      value: BigInt(message.value as string),
      validAfter: BigInt(validAfter as string),
      validBefore: BigInt(validBefore as string),
      nonce: nonce as Hex,
    },
  } as const
}

interface TypedDataParts {
  readonly primaryType: unknown
  readonly domain: Readonly<Record<string, unknown>>
  readonly message: Readonly<Record<string, unknown>>
}

function parse(text: unknown): TypedDataParts {
  try {
    const json = typeof text === 'string' ? JSON.parse(text) : null
    return { primaryType: json?.primaryType, domain: json?.domain ?? {}, message: json?.message ?? {} }
  } catch {
    return { primaryType: undefined, domain: {}, message: {} }
  }
}

/** A whole number of values at the price of one each. */
function isPriceOfCall(given: unknown, { price, mostValues }: TransferRules): boolean {
  if (!matches(given, UINT)) return false
  const amount = BigInt(given as string)
  return amount % price === 0n && amount > 0n && amount <= price * mostValues
}

const same = (given: unknown, expected: Hex): boolean =>
  typeof given === 'string' && given.toLowerCase() === expected.toLowerCase()
const matches = (given: unknown, form: RegExp): boolean => typeof given === 'string' && form.test(given)
