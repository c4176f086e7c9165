import { type Hex, isAddressEqual, type PublicClient, parseEventLogs } from 'viem'
import type { Authorization } from '../../../../src/lists/statement/format.ts'
import { networkOf } from '../../../../src/payments/networks/networks.ts'
import { TOKEN_ABI } from '../../../../src/payments/networks/token-abi.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { nodeReader } from '../buyer/node-reader.ts'

declare const ON_CHAIN: unique symbol

/** A transfer that a node shows; only {@link createTransferProver} makes one. */
export interface ProvedTransfer {
  readonly [ON_CHAIN]: true
  readonly amount: bigint
}

/** What a transfer must be. */
export interface Transfer {
  readonly network: string
  readonly payer: Hex
  readonly payTo: Hex
  readonly amount: bigint
}

/** Wallets sign for an hour at most (`signable-terms.ts`). */
const LONGEST_LIFE_SECONDS = 3_600
/** Every known node searches that many blocks for logs. */
const WINDOW = 500n

/** Looks transfers up at one node; none is found twice. */
export function createTransferProver(rpcUrl: string) {
  const client = nodeReader(rpcUrl)
  const taken = new Set<string>()

  /** Throws {@link ReceiptFault} unless the transaction holds the transfer. */
  async function find(hash: Hex, { network, payer, payTo, amount }: Transfer): Promise<ProvedTransfer> {
    const found = await client.getTransactionReceipt({ hash }).catch(() => null)
    if (found === null) throw new ReceiptFault('The node does not know its transaction.')
    const transfer = parseEventLogs({ abi: TOKEN_ABI, eventName: 'Transfer', logs: found.logs }).find(
      ({ address, args, logIndex }) =>
        isAddressEqual(address, networkOf(network).token.address) &&
        isAddressEqual(args.from, payer) &&
        isAddressEqual(args.to, payTo) &&
        args.value === amount &&
        !taken.has(`${hash} ${logIndex}`),
    )
    if (found.status !== 'success' || transfer === undefined)
      throw new ReceiptFault('Its transaction holds no such transfer.')
    taken.add(`${hash} ${transfer.logIndex}`)
    return { amount } as ProvedTransfer
  }

  return {
    find,
    /** Looks for the use of an authorization within its life; null unless the node shows it with the transfer. */
    findUse: (authorization: Authorization, transfer: Transfer): Promise<ProvedTransfer | null> =>
      findUse(client, authorization)
        .then((hash) => (hash === null ? null : find(hash, transfer)))
        .catch(() => null),
  }
}

async function findUse(
  client: PublicClient,
  { network, payer, nonce, validBefore }: Authorization,
): Promise<Hex | null> {
  const { address } = networkOf(network).token
  const from = await firstBlockAt(client, validBefore - LONGEST_LIFE_SECONDS)
  const end = await firstBlockAt(client, validBefore)
  for (let fromBlock = from; fromBlock <= end; fromBlock += WINDOW) {
    const toBlock = fromBlock + WINDOW < end ? fromBlock + WINDOW - 1n : end
    const [used] = await client.getContractEvents({
      ...{ address, abi: TOKEN_ABI, eventName: 'AuthorizationUsed', fromBlock, toBlock },
      args: { authorizer: payer as Hex, nonce: nonce as Hex },
    })
    if (used !== undefined) return used.transactionHash
  }
  return null
}

/** The first block of a time in UTC seconds, or the newest. */
async function firstBlockAt(client: PublicClient, time: number): Promise<bigint> {
  let [low, high] = [0n, await client.getBlockNumber({ cacheTime: 0 })]
  while (low < high) {
    const middle = (low + high) / 2n
    const { timestamp } = await client.getBlock({ blockNumber: middle })
    if (timestamp < BigInt(time)) low = middle + 1n
    else high = middle
  }
  return low
}
