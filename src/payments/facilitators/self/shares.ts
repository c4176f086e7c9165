import { eip3009ABI } from '@x402/evm'
import { decodeFunctionData, type Hex, isAddressEqual, type TransactionReceipt } from 'viem'
import type { Outlay } from '../../../ledger/treasury-store.ts'
import { authorizationEvent } from '../../chain/authorization-logs.ts'
import type { ContractCall } from './gas.ts'

/** What each authorization among the calls of a transaction brought in: nothing if its logs are not in the receipt. */
export function sharesOf(
  calls: readonly ContractCall[],
  { logs }: Pick<TransactionReceipt, 'logs'>,
  token: Hex,
): Outlay['shares'] {
  return calls.flatMap(({ to, data }) => {
    if (!isAddressEqual(to, token)) return []
    const { functionName, args } = decodeFunctionData({ abi: eip3009ABI, data })
    if (functionName !== 'transferWithAuthorization') return []
    const [payer, , value, , , nonce] = args
    const isPaid = logs.some((log) => authorizationEvent(log, token, { payer, nonce }) === 'used')
    return [{ payer: payer.toLowerCase(), amount: isPaid ? value : 0n }]
  })
}
