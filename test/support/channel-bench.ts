import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentRequirements } from '@x402/core/types'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { type PrivateKeyAccount, toHex } from 'viem'
import { loadReceiptKey } from '../../src/app/keys/signing-keys.ts'
import { buildPaymentLayer, type PaymentLayer } from '../../src/app/payments/payment-layer.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'
import { purposeOf } from '../../src/payments/facilitators/self/treasury/treasury.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import type { RawPayment, Sale } from '../../src/payments/ports/sale.ts'
import { createKeyring } from '../../src/payments/secrets/keyring.ts'
import { freshAccount } from './chain-payments.ts'
import { countedSkills } from './counted-skills.ts'
import { type FaultyLedger, faultyLedger } from './faulty-ledger.ts'
import { openFreshStore } from './fresh-store.ts'
import { simulatedContract } from './simulated-contract.ts'
import { singleCall } from './single-call.ts'
import { storedBytes } from './stored-bytes.ts'

export const GOOD_IBAN = 'GB82 WEST 1234 5698 7654 32'

/** What each act costs the operator, and what a day may lose; in millionths of a dollar. */
export interface ChargedActs {
  readonly cost: bigint
  readonly most: bigint
}

/** A payment layer with channels over a real store and a simulated contract; buyers sign with the stock client. */
export async function startChannelBench(account?: ChargedActs) {
  const clock = { at: Date.now() }
  const now = () => clock.at
  const { ledger: store, dataDir } = await openFreshStore('channel', now)
  const { ledger, faults }: FaultyLedger = faultyLedger(store)
  const payTo = freshAccount().address
  const contract = simulatedContract(payTo)
  contract.setTime(Math.floor(clock.at / 1000))
  const authorizer = freshAccount()
  const keys = createKeyring(randomBytes(32))
  const events: string[] = []
  const logged: string[] = []
  const log = (...line: unknown[]) => void logged.push(JSON.stringify(line))

  const process = (over: Ledger = ledger, timing: object = {}): Promise<PaymentLayer> =>
    buildPaymentLayer({
      networks: [
        {
          network: BASE,
          facilitator:
            account === undefined ? contract.facilitator : booked(contract.facilitator, over, account),
          chain: contract.chain,
          pausedBy: () => null,
        },
      ],
      registry: countedSkills().registry,
      ledger: over,
      channels: {
        authorizer,
        reader: contract.reader,
        ...(account === undefined
          ? {}
          : { admits: (act) => over.mayAct(act, account.cost, lossLimitOf(account)) }),
      },
      keys,
      baseUrl: 'https://checks.example',
      payTo,
      receiptKey: loadReceiptKey(null, dataDir),
      proofOnChain: false,
      timing: { proofWaitMs: 50, proofLookMs: 5, ...timing },
      now,
      log: { info: log, warn: log, error: log },
      onEvent: (event) => void events.push(event),
    })
  let layer = await process()
  const skill = layer.context.registry.get('iban')
  if (skill === undefined) throw new Error('no skill')
  const call = (value = GOOD_IBAN, client = 'c') => singleCall({ skill, surface: 'channel', value, client })

  /** The stock client, its account in its own memory. */
  const buyer = (account: PrivateKeyAccount = freshAccount(), salt = toHex(randomBytes(32))) => {
    const signer = {
      ...account,
      readContract: async ({ args }: { args: readonly string[] }) => {
        const { balance, totalClaimed } = contract.state(String(args[0]).toLowerCase())
        return [balance, totalClaimed]
      },
    }
    const scheme = new BatchSettlementEvmScheme(signer as never, { salt })
    const terms = async (): Promise<PaymentRequirements> => {
      const quote = await layer.quotes.of({ shape: 'single', type: 'iban', items: 1 }, 'channel')
      return quote.required('payment_required').accepts[0] as PaymentRequirements
    }
    /** The next payment as the client would sign it now. */
    const sign = async (): Promise<RawPayment & { payload: { payload: Record<string, never> } }> => {
      const accepted = await terms()
      const { payload } = await scheme.createPaymentPayload(2, accepted)
      return { kind: 'object', payload: { x402Version: 2, accepted, payload } as never }
    }
    /** Tells the client what it was answered. */
    const hear = async (rawPayment: { payload: unknown }, sale: Sale): Promise<boolean> => {
      const settleResponse = 'settlement' in sale ? sale.settlement : undefined
      const paymentRequired = sale.kind === 'unpaid' ? sale.quote.required(sale.code) : undefined
      const result = await scheme.schemeHooks.onPaymentResponse?.({
        paymentPayload: rawPayment.payload,
        requirements: await terms(),
        ...(settleResponse === undefined ? { paymentRequired } : { settleResponse }),
      } as never)
      return (result as { recovered?: boolean } | undefined)?.recovered === true
    }
    /** Signs, sends and hears; once more if the client was corrected. */
    const buy = async (value?: string): Promise<Sale> => {
      const rawPayment = await sign()
      const sale = await layer.sell(call(value), rawPayment)
      if (!(await hear(rawPayment, sale))) return sale
      const again = await sign()
      const second = await layer.sell(call(value), again)
      await hear(again, second)
      return second
    }
    const id = async () => {
      const { voucher } = (await sign()).payload.payload as never as { voucher: { channelId: string } }
      return voucher.channelId.toLowerCase()
    }
    return { account, scheme, terms, sign, hear, buy, id }
  }
  return {
    contract,
    clock,
    now,
    dataDir,
    ledger,
    faults,
    events,
    logged,
    /** The bytes of the store. */
    storedBytes: () => storedBytes(dataDir),
    store,
    deposits: () => storedDeposits(dataDir),
    authorizer,
    payTo,
    call,
    buyer,
    get layer() {
      return layer
    },
    sell: (rawPayment: RawPayment, asked = call()) => layer.sell(asked, rawPayment),
    /** A new process over the same store. */
    restart: async () => {
      layer = await process()
    },
    /** A second process beside the present one. */
    replica: (timing?: object) => process(store, timing),
    pass: (ms: number) => {
      clock.at += ms
      contract.setTime(Math.floor(clock.at / 1000))
    },
    stop: async () => {
      await store.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}

/** Every row of the store's deposits. */
function storedDeposits(dataDir: string): readonly unknown[] {
  const direct = new DatabaseSync(join(dataDir, 'ledger.sqlite'), { readOnly: true })
  try {
    return direct.prepare('select * from channel_deposits').all()
  } finally {
    direct.close()
  }
}

export type ChannelBench = Awaited<ReturnType<typeof startChannelBench>>

const lossLimitOf = ({ most }: ChargedActs) => ({ day: '2026-11-20', most })
let acts = 0

/** A facilitator whose acts are booked as those of the service itself are. */
const booked = (facilitator: FacilitatorClient, ledger: Ledger, account: ChargedActs): FacilitatorClient => ({
  ...facilitator,
  async settle(payload, requirements) {
    acts += 1
    const name = `bench/${acts}`
    const said = await ledger.reserve(name, purposeOf(payload), account.cost, lossLimitOf(account))
    if (said !== 'admitted') throw new ChainUnavailable(String(said))
    const reply = await facilitator.settle(payload, requirements)
    await ledger.release(name, { spent: account.cost, gas: 0n, shares: [] })
    return reply
  },
})
