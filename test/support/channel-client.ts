import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { FileClientChannelStorage } from '@x402/evm/batch-settlement/client/file-storage'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { createPublicClient, http, type PrivateKeyAccount } from 'viem'
import { NETWORK } from './channel-chain.ts'

/** How many times the price of a call the client deposits at most. */
const MOST = 1_000

export interface ChannelClientOptions {
  readonly account: PrivateKeyAccount
  /** The node the client reads its channel from; without it the client goes by its own account alone. */
  readonly rpcUrl?: string
  /** In place of a node. */
  readonly readContract?: (question: never) => Promise<unknown>
  /** Where the client keeps its account; in memory by default. */
  readonly directory?: string
  /** What each deposit is, in atomic units; the least that a service takes by default. */
  readonly deposit?: bigint
  readonly fetch?: typeof fetch
}

/** The stock client of payment channels, unmodified; it takes no other scheme. */
export function channelClient({
  account,
  rpcUrl,
  readContract,
  directory,
  deposit,
  fetch: send = fetch,
}: ChannelClientOptions) {
  const chain = rpcUrl === undefined ? undefined : createPublicClient({ transport: http(rpcUrl) })
  const read = chain === undefined ? readContract : (question: never) => chain.readContract(question)
  const signer = read === undefined ? account : { ...account, readContract: read }
  const scheme = new BatchSettlementEvmScheme(signer as never, {
    ...(directory === undefined ? {} : { storage: new FileClientChannelStorage({ directory }) }),
    ...(deposit === undefined
      ? {}
      : { depositStrategy: () => deposit, depositPolicy: { depositMultiplier: MOST } }),
  })
  const client = new x402Client().register(NETWORK, scheme)
  const pay = wrapFetchWithPayment(send, client)
  const post = (url: string, path: string, body: object) =>
    pay(`${url}/api/channel/validate/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  return {
    scheme,
    /** One check of a value, paid for over the channel. */
    check: (url: string, value: string, type = 'iban') => post(url, type, { value }),
    checkList: (url: string, values: readonly string[], type = 'iban') =>
      post(url, 'batch', { items: values.map((value) => ({ type, value })) }),
    refund: (url: string, amount?: string) =>
      scheme.refund(`${url}/api/channel`, { ...(amount === undefined ? {} : { amount }), fetch: send }),
  }
}
