import { x402Client } from '@x402/core/client'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment } from '@x402/fetch'
import { privateKeyToAccount } from 'viem/accounts'

const { SERVICE = '', BUYER_KEY = '' } = process.env
export const service: string = SERVICE

const client = new x402Client()
registerExactEvmScheme(client, { signer: privateKeyToAccount(BUYER_KEY as `0x${string}`) })
export const pay = wrapFetchWithPayment(fetch, client)
