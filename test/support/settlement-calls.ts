/** Calls that settle authorizations of numbered payers, and what the token logs of them. */

import { eip3009ABI } from '@x402/evm'
import { encodeEventTopics, encodeFunctionData, type Hex, pad, toHex } from 'viem'
import type { ContractCall } from '../../src/payments/chain/contract-call.ts'
import { TOKEN_ABI } from '../../src/payments/networks/token-abi.ts'

export const CALLED_TOKEN: Hex = pad('0x70', { size: 20 })
export const AMOUNT = 1_000n

export const payerOf = (payer: number): Hex => pad(toHex(payer), { size: 20 })
export const nonceOf = (payer: number): Hex => pad(toHex(payer), { size: 32 })

/** The settlement of a payer's authorization, whose nonce has the payer's number unless another is given. */
export const settlement = (payer: number, nonce = payer): ContractCall => ({
  to: CALLED_TOKEN,
  data: encodeFunctionData({
    abi: eip3009ABI,
    functionName: 'transferWithAuthorization',
    args: [payerOf(payer), payerOf(99), AMOUNT, 0n, 9n, nonceOf(nonce), 27, pad('0x1'), pad('0x2')],
  }),
})

/** The logs of a payer's settlement, from this index on. */
export function logsOf(payer: number, logIndex: number) {
  const place = { address: CALLED_TOKEN, transactionHash: pad('0x1'), blockNumber: 1n }
  const used = { authorizer: payerOf(payer), nonce: nonceOf(payer) }
  const moved = { from: payerOf(payer), to: payerOf(99) }
  return [
    {
      ...place,
      topics: encodeEventTopics({ abi: TOKEN_ABI, eventName: 'AuthorizationUsed', args: used }) as Hex[],
      data: '0x' as Hex,
      logIndex,
    },
    {
      ...place,
      topics: encodeEventTopics({ abi: TOKEN_ABI, eventName: 'Transfer', args: moved }) as Hex[],
      data: toHex(AMOUNT, { size: 32 }),
      logIndex: logIndex + 1,
    },
  ]
}
