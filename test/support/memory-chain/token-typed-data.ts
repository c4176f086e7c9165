/** What is signed for the sandbox's token, as EIP-712 typed data. */
import type { Hex } from 'viem'
import { BASE_CHAIN_ID } from '../../../src/sandbox/addresses.ts'

/** The signed members of a transfer (EIP-3009). */
export const TRANSFER_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The domain of the token, that of USDC on Base. */
export const tokenDomain = (token: Hex) =>
  ({ name: 'USD Coin', version: '2', chainId: BASE_CHAIN_ID, verifyingContract: token }) as const
