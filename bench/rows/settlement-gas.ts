/** What settling ourselves costs on a chain, alone and in batches, from the receipts of a local one. */
import { type Hex, numberToHex } from 'viem'
import {
  AGGREGATOR,
  type BatchForm,
  callOfAll,
  DEPLOYMENT,
} from '../../src/payments/chain/settlement-calls.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import { startAnvil } from '../../test/support/chain-backends.ts'
import { freshAccount, signPayment, termsFor, transferCall } from '../../test/support/chain-payments.ts'
import type { Row } from '../report/row.ts'

const SALES = [1, 2, 4, 8, 16, 32, 64, 128] as const
const FORMS = ['deployed', 'sent along'] as const

export async function settlementGasRow(): Promise<Row> {
  const chain = await startAnvil()
  const node = chain.rpcUrl
  const sender = freshAccount().address
  await callRpc(node, 'anvil_impersonateAccount', [sender])
  await callRpc(node, 'anvil_setBalance', [sender, numberToHex(10n ** 20n)])
  const gasOf = async ({ to, data }: { readonly to: Hex | null; readonly data: Hex }) => {
    const call = { from: sender, data, gas: numberToHex(20_000_000), ...(to === null ? {} : { to }) }
    const hash = await callRpc(node, 'eth_sendTransaction', [call])
    await callRpc(node, 'evm_mine')
    const receipt = (await callRpc(node, 'eth_getTransactionReceipt', [hash])) as Record<string, Hex>
    if (receipt.status !== '0x1') throw new Error('a transaction failed')
    return Number(receipt.gasUsed)
  }
  /** Each payer is new, and has more money than it spends. */
  const settle = async (payTo: Hex, sales: number, form: BatchForm) => {
    const payers = Array.from({ length: sales }, freshAccount)
    for (const { address } of payers) await chain.fund(address, 1_000_000n)
    const signed = await Promise.all(payers.map((payer) => signPayment(payer, termsFor(payTo))))
    return gasOf(
      callOfAll(
        signed.map((each) => ({ to: TOKEN, data: transferCall(each) })),
        form,
      ),
    )
  }
  try {
    const payTo = freshAccount().address
    await callRpc(node, 'anvil_setCode', [AGGREGATOR, '0x'])
    const deployment = await gasOf(DEPLOYMENT)
    const first = await settle(payTo, 1, 'deployed')
    const figures = [figure('deployment of the aggregator', deployment), figure('first of a payee', first)]
    for (const sales of SALES)
      for (const form of FORMS)
        figures.push(figure(`${sales}, ${form}`, (await settle(payTo, sales, form)) / sales))
    return {
      id: 'settlement-gas',
      work: 'gas of a sale by sales in a transaction',
      figures,
      claims: [],
      taken: 0,
    }
  } finally {
    await chain.stop()
  }
}

const figure = (name: string, gas: number) => ({ name, other: `${Math.round(gas)} gas` })
