/** What channels cost on a chain, from the receipts of a local one with our stand-ins for the contracts. */
import type { Hex, TransactionReceipt } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { WITHDRAW_DELAY } from '../../src/payments/terms/channel-terms.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import {
  type ChannelChain,
  type ChannelConfig,
  claimOf,
  depositArgs,
  NETWORK,
  signBatch,
  signRefund,
  startChannelChain,
} from '../../test/support/channel-chain.ts'
import { paymentSigner } from '../load/sign-payments.ts'
import type { Row } from '../report/row.ts'

const PRICE = 1_000n
const CALLS_PER_DEPOSIT = 300
const DEPOSIT = PRICE * BigInt(CALLS_PER_DEPOSIT)
const BATCHES = [1, 10, 25] as const
/** Gas of a call over a channel as a share of a single payment's. */
const MOST_SHARE = 1 / 100

const fresh = () => privateKeyToAccount(generatePrivateKey())

export async function channelGasRow(): Promise<Row> {
  const chain = await startChannelChain()
  try {
    return rowOf(await measure(chain))
  } finally {
    await chain.stop()
  }
}

interface Gas {
  readonly exact: number
  readonly deposit: number
  readonly topUp: number
  /** A whole claim, by the number of its channels. */
  readonly claims: ReadonlyMap<number, number>
  readonly sweep: number
  readonly refund: number
}

async function measure(chain: ChannelChain): Promise<Gas> {
  const [sender, payee, authorizer] = [fresh(), fresh(), fresh()]
  const send = async (functionName: string, args: readonly unknown[]) =>
    gasOf(await chain.send(sender.address, functionName, args))
  const open = async () => {
    const payer = fresh()
    await chain.fund(payer.address, 10n * DEPOSIT)
    const config = configOf(payer.address, payee.address, authorizer.address)
    const gas = await send('deposit', await depositArgs(payer, config, DEPOSIT))
    return { payer, config, gas }
  }
  const claim = async (count: number, charged: bigint) => {
    const claims = []
    for (let index = 0; index < count; index += 1) {
      const { payer, config } = await open()
      claims.push(await claimOf(payer, config, charged))
    }
    return send('claimWithSignature', [claims, await signBatch(authorizer, claims)])
  }
  const sweep = () => send('settle', [payee.address, TOKEN])
  // A payee's first claim, payout and payment write to new places of the chain's storage.
  await claim(1, DEPOSIT)
  await sweep()
  await payExact(chain, payee.address)

  const exact = await payExact(chain, payee.address)
  const claims = new Map<number, number>()
  for (const count of BATCHES) claims.set(count, await claim(count, DEPOSIT))
  const { payer, config, gas: deposit } = await open()
  const topUp = await send('deposit', await depositArgs(payer, config, DEPOSIT))
  const refund = await send('refundWithSignature', [
    config,
    PRICE,
    0n,
    await signRefund(authorizer, config, PRICE, 0n),
  ])
  return { exact, deposit, topUp, claims, sweep: await sweep(), refund }
}

const gasOf = ({ gasUsed }: TransactionReceipt): number => Number(gasUsed)

const configOf = (payer: Hex, receiver: Hex, receiverAuthorizer: Hex): ChannelConfig => ({
  payer,
  payerAuthorizer: payer,
  receiver,
  receiverAuthorizer,
  token: TOKEN,
  withdrawDelay: WITHDRAW_DELAY,
  salt: `0x${'0'.repeat(64)}`,
})

/** A single payment by a new payer, settled by the service's own facilitator. */
async function payExact(chain: ChannelChain, payTo: Hex): Promise<number> {
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await chain.fund(address, 10n * PRICE)
  const requirements = {
    scheme: 'exact',
    network: NETWORK,
    amount: PRICE.toString(),
    asset: TOKEN,
    payTo,
    maxTimeoutSeconds: 120,
    extra: { name: 'USD Coin', version: '2' },
  }
  const sign = paymentSigner({ x402Version: 2, resource: { url: 'x' }, accepts: [requirements] } as never)
  const payload = sign({ address, key: Buffer.from(key.slice(2), 'hex') })
  const { success, transaction } = await chain.facilitator.settle(payload, requirements)
  if (!success) throw new Error('a payment was not settled')
  return gasOf(await chain.client.getTransactionReceipt({ hash: transaction as Hex }))
}

/** What one call costs where every channel has a deposit, a place in a claim, and a share in the payout after it. */
function perCall({ deposit, claims, sweep }: Gas, batch: number): number {
  const claim = (claims.get(batch) ?? Number.NaN) / batch
  return (deposit + claim + sweep / batch) / CALLS_PER_DEPOSIT
}

function rowOf(gas: Gas): Row {
  const figure = (name: string, amount: number) => ({ name, other: `${Math.round(amount)} gas` })
  const share = (batch: number) => perCall(gas, batch) / gas.exact
  return {
    id: 'channel-gas',
    work: `gas of channels on a local chain, ${CALLS_PER_DEPOSIT} calls a deposit`,
    figures: [
      figure('single payment', gas.exact),
      figure('deposit of a new channel', gas.deposit),
      figure('later deposit', gas.topUp),
      ...BATCHES.map((batch) =>
        figure(`claim of ${batch}, each channel`, (gas.claims.get(batch) ?? Number.NaN) / batch),
      ),
      figure('payout', gas.sweep),
      figure('refund', gas.refund),
      ...BATCHES.map((batch) => figure(`a call, claims of ${batch}`, perCall(gas, batch))),
    ],
    claims: BATCHES.map((batch) => ({
      what: `gas of 100 calls, claims of ${batch}, against a single payment`,
      value: 100 * share(batch),
      ...(batch === 1 ? {} : { target: 100 * MOST_SHARE, side: 'at most' as const }),
    })),
    taken: 0,
  }
}
