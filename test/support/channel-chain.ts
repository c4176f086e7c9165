import {
  computeChannelId,
  createBatchSettlementEIP3009DepositPayload,
  signVoucher,
} from '@x402/evm/batch-settlement/client'
import {
  type Abi,
  type BaseError,
  ContractFunctionRevertedError,
  createPublicClient,
  createWalletClient,
  encodeAbiParameters,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseAbiParameters,
} from 'viem'
import { BASE_CHAIN_ID, CHANNEL_SETTLEMENT, DEPOSIT_COLLECTOR, TOKEN } from '../../src/sandbox/addresses.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import compiled from '../../src/sandbox/channels/settlement.generated.json' with { type: 'json' }
import { startAnvil } from './chain-backends.ts'

export const NETWORK = `eip155:${BASE_CHAIN_ID}` as const
export const SETTLEMENT_ABI = compiled.abi as Abi

/** The domain that vouchers, claim batches and refunds are signed in. */
export const DOMAIN = {
  name: 'x402 Batch Settlement',
  version: '1',
  chainId: BASE_CHAIN_ID,
  verifyingContract: CHANNEL_SETTLEMENT,
} as const

export interface ChannelConfig {
  readonly payer: Hex
  readonly payerAuthorizer: Hex
  readonly receiver: Hex
  readonly receiverAuthorizer: Hex
  readonly token: Hex
  readonly withdrawDelay: number
  readonly salt: Hex
}

export interface Claim {
  readonly voucher: { readonly channel: ChannelConfig; readonly maxClaimableAmount: bigint }
  readonly signature: Hex
  readonly totalClaimed: bigint
}

export const idOf = (config: ChannelConfig): Hex => computeChannelId(config, NETWORK)

/** A voucher by the stock client. */
export async function voucherOf(
  signer: PrivateKeyAccount,
  config: ChannelConfig,
  amount: bigint,
): Promise<Hex> {
  const { signature } = await signVoucher(signer, idOf(config), amount.toString(), NETWORK)
  return signature
}

/** What a claim of a whole voucher hands to the contract. */
export const claimOf = async (
  signer: PrivateKeyAccount,
  config: ChannelConfig,
  amount: bigint,
  totalClaimed = amount,
): Promise<Claim> => ({
  voucher: { channel: config, maxClaimableAmount: amount },
  signature: await voucherOf(signer, config, amount),
  totalClaimed,
})

export const signBatch = (authorizer: PrivateKeyAccount, claims: readonly Claim[]): Promise<Hex> =>
  authorizer.signTypedData({
    domain: DOMAIN,
    types: {
      ClaimBatch: [{ name: 'claims', type: 'ClaimEntry[]' }],
      ClaimEntry: [
        { name: 'channelId', type: 'bytes32' },
        { name: 'maxClaimableAmount', type: 'uint128' },
        { name: 'totalClaimed', type: 'uint128' },
      ],
    },
    primaryType: 'ClaimBatch',
    message: {
      claims: claims.map(({ voucher, totalClaimed }) => ({
        channelId: idOf(voucher.channel),
        maxClaimableAmount: voucher.maxClaimableAmount,
        totalClaimed,
      })),
    },
  })

export const signRefund = (
  authorizer: PrivateKeyAccount,
  config: ChannelConfig,
  amount: bigint,
  nonce: bigint,
): Promise<Hex> =>
  authorizer.signTypedData({
    domain: DOMAIN,
    types: {
      Refund: [
        { name: 'channelId', type: 'bytes32' },
        { name: 'nonce', type: 'uint256' },
        { name: 'amount', type: 'uint128' },
      ],
    },
    primaryType: 'Refund',
    message: { channelId: idOf(config), nonce, amount },
  })

/** Arguments of a deposit that the stock client has signed. */
export async function depositArgs(
  payer: PrivateKeyAccount,
  config: ChannelConfig,
  amount: bigint,
): Promise<readonly unknown[]> {
  const requirements = {
    scheme: 'batch-settlement',
    network: NETWORK,
    amount: '1000',
    asset: TOKEN,
    payTo: config.receiver,
    // Longer than any time that tests let pass on the chain.
    maxTimeoutSeconds: 30 * 86_400,
    extra: { name: 'USD Coin', version: '2' },
  }
  const { payload } = await createBatchSettlementEIP3009DepositPayload(
    payer,
    2,
    requirements,
    config,
    amount.toString(),
    '1000',
  )
  const { deposit } = payload as unknown as {
    deposit: {
      authorization: {
        erc3009Authorization: Record<'validAfter' | 'validBefore' | 'salt' | 'signature', string>
      }
    }
  }
  const { validAfter, validBefore, salt, signature } = deposit.authorization.erc3009Authorization
  const data = encodeAbiParameters(parseAbiParameters('uint256, uint256, uint256, bytes'), [
    BigInt(validAfter),
    BigInt(validBefore),
    BigInt(salt),
    signature as Hex,
  ])
  return [config, amount, DEPOSIT_COLLECTOR, data]
}

/** A local chain with the stand-in contracts, and calls to them in the name of any account. */
export async function startChannelChain() {
  const chain = await startAnvil()
  const rpcUrl = chain.rpcUrl ?? ''
  const client = createPublicClient({ transport: http(rpcUrl), cacheTime: 0 })
  const wallet = createWalletClient({ transport: http(rpcUrl) })
  const contract = { address: CHANNEL_SETTLEMENT, abi: SETTLEMENT_ABI } as const

  const read = (functionName: string, args: readonly unknown[] = []) =>
    client.readContract({ ...contract, functionName, args: [...args] })

  /** Sends a call as an account without its key; throws the contract's refusal before anything is sent. */
  const send = async (from: Hex, functionName: string, args: readonly unknown[]) => {
    await callRpc(rpcUrl, 'anvil_setBalance', [from, '0xde0b6b3a7640000'])
    await callRpc(rpcUrl, 'anvil_impersonateAccount', [from])
    await callRpc(rpcUrl, 'evm_mine')
    const call = { ...contract, functionName, args: [...args], account: from }
    await client.simulateContract(call)
    const hash = await wallet.writeContract({ ...call, chain: null })
    await callRpc(rpcUrl, 'evm_mine')
    return client.waitForTransactionReceipt({ hash })
  }
  /** Name of the error a call is refused with; "accepted" if it is not, and then it was sent. */
  const refusal = async (from: Hex, functionName: string, args: readonly unknown[]): Promise<string> => {
    try {
      await send(from, functionName, args)
      return 'accepted'
    } catch (error) {
      const reverted = (error as BaseError).walk?.((one) => one instanceof ContractFunctionRevertedError)
      if (!(reverted instanceof ContractFunctionRevertedError)) throw error
      return reverted.data?.errorName === 'Error' || reverted.data === undefined
        ? (reverted.reason ?? 'no reason')
        : reverted.data.errorName
    }
  }
  const channel = async (config: ChannelConfig) => {
    const [balance, totalClaimed] = (await read('channels', [idOf(config)])) as [bigint, bigint]
    return { balance, totalClaimed }
  }
  const pass = async (seconds: number) => {
    await callRpc(rpcUrl, 'evm_increaseTime', [seconds])
    await callRpc(rpcUrl, 'evm_mine')
  }
  return { ...chain, rpcUrl, client, read, send, refusal, channel, pass }
}

export type ChannelChain = Awaited<ReturnType<typeof startChannelChain>>
