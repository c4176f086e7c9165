import { decodeFunctionResult, encodeFunctionData, type Hex, isAddressEqual, pad } from 'viem'
import {
  authorizationEvent,
  decodeTokenEvent,
  isPaid,
} from '../../../src/payments/chain/authorization-logs.ts'
import {
  type ChainReader,
  ChainUnavailable,
  type LogPlace,
} from '../../../src/payments/chain/chain-reader.ts'
import { TOKEN_ABI } from '../../../src/payments/networks/token-abi.ts'
import { BASE_CHAIN_ID, TOKEN } from '../../../src/sandbox/addresses.ts'
import type { MemoryChain, MemoryLog } from './memory-chain.ts'

/** Reads the chain in memory by the same rules as a real one. */
export function createMemoryChainReader(chain: MemoryChain): ChainReader {
  const block = async (number: bigint) => {
    const found = chain.block(number)
    if (found === undefined) throw new ChainUnavailable('the chain has no such block')
    return found
  }

  const eventsOf = (payer: Hex, nonce: Hex) =>
    chain
      .logsAbout(pad(payer).toLowerCase() as Hex, nonce.toLowerCase() as Hex)
      .map((log) => ({ log, event: authorizationEvent(log, TOKEN, { payer, nonce }) }))
      .filter(({ event }) => event !== undefined)

  return {
    finalityDepth: 0n,
    head: async () => chain.head(),
    block,
    chainId: async () => BASE_CHAIN_ID,
    hasCode: async (address) => chain.hasCode(address),
    balance: async (payer) => {
      const call = { abi: TOKEN_ABI, functionName: 'balanceOf' } as const
      const data = await chain.call(TOKEN, encodeFunctionData({ ...call, args: [payer] }))
      return decodeFunctionResult({ ...call, data })
    },
    authorizationUsed: async (payer, nonce, atBlock) => {
      const { number } = atBlock === undefined ? chain.head() : await block(atBlock)
      return eventsOf(payer, nonce).some(({ log }) => log.blockNumber <= number)
    },
    trace: async (query) => {
      const events = eventsOf(query.payer, query.nonce)
      if (events.length === 0) return { kind: 'unused' }
      const searched = events.filter(({ log }) => log.blockNumber >= (query.fromBlock ?? 0n))
      if (searched.some(({ event }) => event === 'canceled')) return { kind: 'canceled' }
      const paysUs = ({ log }: { readonly log: MemoryLog }) =>
        isPaid(log, chain.transactionLogs(log.transactionHash), TOKEN, query)
      return {
        kind: 'used',
        payments: searched.filter(paysUs).map(({ log }) => placeOf(log)),
        elsewhere: searched.filter((found) => !paysUs(found)).map(({ log }) => placeOf(log)),
      }
    },
    transfersTo: async (payee, fromBlock, toBlock) => ({
      toBlock,
      transfers: chain.logsBetween(fromBlock, toBlock).flatMap((log) => {
        const event = decodeTokenEvent(log, TOKEN)
        if (event?.eventName !== 'Transfer' || !isAddressEqual(event.args.to, payee)) return []
        const { from, value: amount } = event.args
        const before = chain
          .transactionLogs(log.transactionHash)
          .find(({ logIndex }) => logIndex === log.logIndex - 1)
        const used = before === undefined ? undefined : decodeTokenEvent(before, TOKEN)
        const nonce = used?.eventName === 'AuthorizationUsed' ? used.args.nonce : null
        const place = nonce === null || before === undefined ? placeOf(log) : placeOf(before)
        return [{ ...place, from: from.toLowerCase() as Hex, amount, nonce }]
      }),
    }),
  }
}

const placeOf = ({ transactionHash, logIndex, blockNumber }: MemoryLog): LogPlace => ({
  transaction: transactionHash,
  logIndex,
  blockNumber,
})
