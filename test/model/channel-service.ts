import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements, SettleResponse } from '@x402/core/types'
import { authorizationTypes } from '@x402/evm'
import { createBatchSettlementEIP3009DepositPayload, signVoucher } from '@x402/evm/batch-settlement/client'
import Database from 'better-sqlite3'
import { type Hex, toHex } from 'viem'
import { CALLS, type CallKind, DEPOSIT, type View } from '../../model/channel/channel-state.ts'
import { loadReceiptKey } from '../../src/app/keys/signing-keys.ts'
import { buildPaymentLayer } from '../../src/app/payments/payment-layer.ts'
import type { ChannelConfig, ChannelRow, ChannelState } from '../../src/ledger/channels/channel-row.ts'
import type { DepositRow } from '../../src/ledger/channels/deposit-row.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts'
import { fastestRecovery } from '../../src/payments/authorization/recover-signer.ts'
import type { Block, ChainReader } from '../../src/payments/chain/chain-reader.ts'
import type { ChannelReader } from '../../src/payments/channels/chain/channel-reader.ts'
import type { Admits, ChannelEvent } from '../../src/payments/channels/channel-context.ts'
import { type Channels, createChannels } from '../../src/payments/channels/channels.ts'
import type { RefundOutcome } from '../../src/payments/channels/refunds/refund-channel.ts'
import { channelDigests, depositNonce } from '../../src/payments/channels/voucher/digests.ts'
import { createVoucherJudge } from '../../src/payments/channels/voucher/voucher-judge.ts'
import { BASE } from '../../src/payments/networks/base.ts'
import type { PauseCode, RawPayment, Sale } from '../../src/payments/ports/sale.ts'
import { createMismatchLimiter } from '../../src/payments/sale/limits/mismatch-limiter.ts'
import { createRefusalLimiter } from '../../src/payments/sale/limits/refusal-limiter.ts'
import type { SaleTiming } from '../../src/payments/sale/table/sale-context.ts'
import { createBindings } from '../../src/payments/secrets/bindings.ts'
import { createKeyring } from '../../src/payments/secrets/keyring.ts'
import { channelTerms } from '../../src/payments/terms/channel-terms.ts'
import { createReceiptSigner } from '../../src/receipts/receipt-signer.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { AT_ONCE } from '../simulation/service.ts'
import { type Place, Stage } from '../simulation/stage.ts'
import { freshAccount } from '../support/chain-payments.ts'
import { NETWORK } from '../support/channel-chain.ts'
import { countedSkills } from '../support/counted-skills.ts'
import { singleCall } from '../support/single-call.ts'

/** Atomic units of one price of the model: the least deposit, so that a deposit of two prices is one. */
export const UNIT = 250_000n
const VALUES = { v: 'GB82 WEST 1234 5698 7654 32', w: 'DE89 3704 0044 0532 0130 00' } as const
const BASE_URL = 'https://checks.example'
/** Nearly as long as the service allows: no deposit of a path runs out. */
const DEPOSIT_SECONDS = 400
/** Atomic units: the least that the terms of a channel ask for. */
const MIN_DEPOSIT = 250_000n
const STORE_WRITES = ['openChannel', 'moveChannel', 'claimDeposit', 'moveDeposit']

const RECEIVE_TYPES = { ReceiveWithAuthorization: authorizationTypes.TransferWithAuthorization }

/** What the contract and the token say at the moment; set by the replay before each step. */
export interface Contract {
  view: View
  used: readonly [boolean, boolean]
}

export type Outcome = Sale | RefundOutcome

/** What the payer signs for a call: a sum in prices, the body, and the authorization that comes along. */
export interface SignedVoucher {
  readonly amount: number
  readonly body: 'v' | 'w'
  readonly deposit: SignedDeposit | null
  /** The client's address. */
  readonly client?: string
  /** Members of another channel of the payer, in place of those of the usual one. */
  readonly elsewhere?: Partial<ChannelConfig>
  /** Makes something else of the payment once it is signed. */
  readonly spoil?: (payment: Wire) => unknown
}

/** A payment as it is sent; `any` member of it may be spoiled. */
export interface Wire {
  x402Version: unknown
  accepted: Record<string, unknown>
  payload: Record<string, unknown>
}

export interface SignedDeposit {
  readonly salt: number
  /** UTC seconds. */
  readonly validBefore: number
  /** UTC seconds; 0 by default. */
  readonly validAfter?: number
  /** Atomic units; two prices by default. */
  readonly value?: number
  /** Signed by another key than the payer's, as a wallet contract has it. */
  readonly isByOther?: boolean
}

/** The world around the code, where it is not the replay's. */
export interface ChannelPorts {
  settle(replica: number, payment: PaymentPayload, requirements: PaymentRequirements): Promise<SettleResponse>
  /** The contract, the token and the head as a node shows them; throws if it does not answer. */
  state(id: string): ChannelState
  /** What was claimed of all channels. */
  claimed(): bigint
  report?(event: ChannelEvent): void
  isUsed(nonce: string): boolean
  paidOut(): bigint
  head(): Block
  balance(): bigint
  /** Whether the payer is a contract; not by default. */
  hasCode?(): boolean
  /** What the operator's account says of a deposit or refund. */
  admits(): Awaited<ReturnType<Admits>>
  pausedBy(): PauseCode | null
  readonly timing: Pick<SaleTiming, 'proofWaitMs' | 'proofLookMs'>
  monotonicMs(): number
}

export interface ChannelServiceOptions {
  readonly ports: (stage: () => Stage) => ChannelPorts
  /** Atomic units of one price. */
  readonly unit: bigint
  readonly epochMs: number
}

interface World {
  readonly stage: Stage
  readonly contract: Contract
  nowMs: number
  /** What the facilitator answers next; an error is thrown. */
  reply: SettleResponse | Error
}

interface Acts {
  /** An empty store, and processes that were just started. */
  reset(isHeld?: (place: Place) => boolean): void
  restart(replica: number): void
  call(replica: number, kind: CallKind): Promise<Outcome>
  ask(replica: number, signed: SignedVoucher): Promise<Outcome>
  nonceOf(deposit: SignedDeposit): string
  /** So many prices, in atomic units. */
  amountOf(prices: number): bigint
  /** The payer's signature over a sum, once it was signed. */
  signatureOf(amount: bigint): string | undefined
  verdictOf(body: 'v' | 'w'): unknown
  readonly channelId: string
  /** The usual channel, its addresses with a checksum. */
  readonly config: ChannelConfig
  /** The deposit of a payload as it was signed last with that salt. */
  sentDeposit(salt: bigint): unknown
  /** The terms of one call over a channel. */
  readonly offer: PaymentRequirements
  refund(replica: number, amount: number, spoil?: (payment: Wire) => unknown): Promise<Outcome>
  maintain(replica: number, isDue: boolean): ReturnType<Channels['maintenance']['run']>
  readonly ledger: Ledger
  row(): Promise<ChannelRow | null>
  deposit(auth: 0 | 1): Promise<DepositRow | null>
  /** Every deposit there is a row of. */
  deposits(): Promise<readonly DepositRow[]>
  /** Null before every channel was read. */
  claimedWithoutRow(replica: number): bigint | null
  ownerOf(replica: number): string
  close(): Promise<void>
}

/** The code of payment channels for two replicas over one SQLite ledger; every visible step waits for the replay. */
export type ChannelService = World & Acts

export async function openChannelService(options?: ChannelServiceOptions): Promise<ChannelService> {
  const unit = options?.unit ?? UNIT
  const memory = '/dev/shm'
  const dataDir = mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'format-checker-channel-replay-'))
  const epoch = options?.epochMs ?? Date.now()
  const world: World = {
    stage: new Stage(),
    contract: { view: { balance: 0, claimed: 0, nonce: 0, leaving: false }, used: [false, false] },
    nowMs: epoch,
    reply: new Error('no reply'),
  }
  const ledger = await openSqliteLedger({ dataDir, now: () => world.nowMs, timing: AT_ONCE })
  const direct = new Database(join(dataDir, 'ledger.sqlite'))
  const authorizer = options === undefined ? freshAccount() : readableSigner(freshAccount())
  const payer = freshAccount()
  const other = freshAccount()
  const digests = channelDigests(BASE)
  const payTo = freshAccount().address
  const { registry } = countedSkills()
  const keys = createKeyring(randomBytes(32))
  const signer = createReceiptSigner(loadReceiptKey(null, dataDir), BASE_URL)
  const replicas: { channels: Channels; owner: string }[] = []
  let incarnation = 0

  const ports = options?.ports(() => world.stage)
  const look = <T>(replica: number, name: string, answer: () => T): Promise<T> =>
    world.stage.call({ replica, port: 'chain', name, args: [] }, answer)

  const facilitatorOf = (replica: number): FacilitatorClient =>
    ({
      verify: async () => ({ isValid: true }),
      getSupported: async () => ({ kinds: [], extensions: [], signers: {} }),
      settle: async (payment: PaymentPayload, asked: PaymentRequirements) => {
        if (ports !== undefined) return ports.settle(replica, payment, asked)
        const payload = payment.payload as { type: string }
        // A payout changes nothing of a channel.
        if (payload.type === 'settle') return { success: true, transaction: '', network: NETWORK }
        return world.stage.call({ replica, port: 'settle', name: payload.type, args: [payload] }, () => {
          if (world.reply instanceof Error) throw world.reply
          return world.reply
        })
      },
    }) as unknown as FacilitatorClient
  const reader = (replica: number): ChannelReader => ({
    state: (id) =>
      world.stage.call({ replica, port: 'chain', name: 'state', args: [id] }, () => {
        if (ports !== undefined) return ports.state(id)
        const { balance, claimed, nonce, leaving } = world.contract.view
        return {
          balance: BigInt(balance) * UNIT,
          totalClaimed: BigInt(claimed) * UNIT,
          refundNonce: BigInt(nonce),
          withdrawRequestedAt: leaving ? 1 : 0,
        }
      }),
    payee: async () => {
      if (ports === undefined) return { claimed: BigInt(world.contract.view.claimed) * UNIT, settled: 0n }
      return look(replica, 'payee', () => ({
        claimed: ports.claimed(),
        settled: ports.paidOut(),
      }))
    },
    hasContract: async () => true,
  })
  const head = () => ({ number: 100n, timestamp: Math.floor(world.nowMs / 1000) })
  const chainOf = (replica: number) =>
    ({
      finalityDepth: 0n,
      ...(ports === undefined
        ? {
            balance: async () => 10n ** 12n,
            hasCode: async () => false,
            authorizationUsed: async (_: string, nonce: string) => world.contract.used[authOf(nonce)],
            head: async () => head(),
            block: async () => head(),
          }
        : {
            balance: () => look(replica, 'balance', () => ports.balance()),
            hasCode: async () => ports.hasCode?.() ?? false,
            authorizationUsed: (_: string, nonce: string) =>
              look(replica, 'authorizationUsed', () => ports.isUsed(nonce)),
            head: () => look(replica, 'head', () => ports.head()),
            block: () => look(replica, 'block', () => ports.head()),
          }),
    }) as unknown as ChainReader
  const timingOf = (replica: number) => ({
    ...{ proofWaitMs: 0, proofLookMs: 0, ...ports?.timing },
    sleep: async (ms: number, signal?: AbortSignal) => {
      if (ports === undefined) return
      const due = ports.monotonicMs() + ms
      await world.stage.call({ replica, port: 'sleep', name: 'sleep', args: [due] }, () => {}, signal)
    },
    monotonicMs: () => ports?.monotonicMs() ?? 0,
  })

  const layer = await buildPaymentLayer({
    networks: [
      {
        ...{ network: BASE, facilitator: facilitatorOf(0), chain: chainOf(0) },
        pausedBy: () => ports?.pausedBy() ?? null,
      },
    ],
    ...{ registry, ledger, keys, baseUrl: BASE_URL, proofOnChain: false },
    ...{ payTo, receiptKey: loadReceiptKey(null, dataDir), channels: { authorizer, reader: reader(0) } },
    timing: timingOf(0),
    now: () => world.nowMs,
    log: { info: () => {}, warn: () => {}, error: () => {} },
  })
  const skill = layer.context.registry.get('iban')
  if (skill === undefined) throw new Error('no such skill')
  const requirements = { ...layer.terms.requirements, amount: unit.toString() }
  const terms = { ...layer.terms, amount: unit, requirements }

  // Everything the payer signs; the channel is the same in each schedule, on an empty store.
  const config = {
    payer: payer.address,
    payerAuthorizer: payer.address,
    receiver: payTo,
    receiverAuthorizer: authorizer.address,
    token: TOKEN,
    withdrawDelay: 86_400,
    salt: `0x${'07'.repeat(32)}`,
  } as const
  const lower = lowerCase(config)
  const idOf = (given: ChannelConfig) => digests.channelIdOf(lowerCase(given))
  const id = idOf(config)
  const accepted = {
    ...{ scheme: 'batch-settlement', network: NETWORK, amount: unit.toString(), asset: TOKEN, payTo },
    ...{ maxTimeoutSeconds: DEPOSIT_SECONDS, extra: { name: 'USD Coin', version: '2' } },
  } as const
  const rawPaymentWith = (payload: object, accepts: object = accepted): RawPayment => ({
    kind: 'object',
    payload: { x402Version: 2, accepted: accepts, payload },
  })
  const vouchers = new Map<bigint, Awaited<ReturnType<typeof signVoucher>>>()
  const others = new Map<string, Awaited<ReturnType<typeof signVoucher>>>()
  const voucherFor = async (prices: number) => {
    const amount = BigInt(prices) * unit
    const known = vouchers.get(amount) ?? (await signVoucher(payer, id, amount.toString(), NETWORK))
    vouchers.set(amount, known)
    return known
  }
  const depositFor = async (amount: number) => {
    const { payload } = await createBatchSettlementEIP3009DepositPayload(
      ...([payer, 2, accepted, config] as const),
      (BigInt(DEPOSIT) * unit).toString(),
      (BigInt(amount) * unit).toString(),
    )
    return payload as unknown as {
      deposit: { authorization: { erc3009Authorization: { salt: string } } }
    }
  }
  const rawPayments = new Map<CallKind, RawPayment>()
  const nonces = new Map<CallKind, string>()
  const shared = await depositFor(1)
  for (const kind of Object.keys(CALLS) as CallKind[]) {
    const { amount, deposit } = CALLS[kind]
    if (deposit === null) {
      const voucher = await voucherFor(amount)
      rawPayments.set(kind, rawPaymentWith({ type: 'voucher', channelConfig: config, voucher }))
      continue
    }
    const payload = deposit === 0 ? shared : await depositFor(amount)
    rawPayments.set(kind, rawPaymentWith(payload))
    nonces.set(kind, depositNonce(id, BigInt(payload.deposit.authorization.erc3009Authorization.salt)))
  }
  const deposits = new Map<string, Promise<Hex>>()
  const whole = DEPOSIT * Number(unit)
  const nonceOf = ({ salt }: SignedDeposit) => depositNonce(id, BigInt(salt))
  const authorize = (deposit: SignedDeposit): Promise<Hex> => {
    const { salt, validBefore, validAfter = 0, value = whole, isByOther = false } = deposit
    const name = [salt, validBefore, validAfter, value, isByOther].join()
    const known = deposits.get(name)
    if (known !== undefined) return known
    const made = (isByOther ? other : payer).signTypedData({
      domain: { name: 'USD Coin', version: '2', chainId: BASE.chainId, verifyingContract: TOKEN },
      types: RECEIVE_TYPES,
      primaryType: 'ReceiveWithAuthorization',
      message: {
        ...{
          from: payer.address,
          to: BASE.contracts.depositCollector,
          value: BigInt(value),
          validAfter: BigInt(validAfter),
        },
        ...{ validBefore: BigInt(validBefore), nonce: nonceOf(deposit) },
      },
    })
    deposits.set(name, made)
    return made
  }
  /** The usual channel, or another one with a voucher of its own. */
  const voucherOf = async ({ amount, elsewhere }: SignedVoucher) => {
    if (elsewhere === undefined) return { channelConfig: config, voucher: await voucherFor(amount) }
    const channelConfig = { ...config, ...elsewhere }
    const name = JSON.stringify([amount, elsewhere])
    const voucher =
      others.get(name) ??
      (await signVoucher(payer, idOf(channelConfig), String(BigInt(amount) * unit), NETWORK))
    others.set(name, voucher)
    return { channelConfig, voucher }
  }
  const rawPaymentFor = async (signed: SignedVoucher): Promise<RawPayment> => {
    const common = await voucherOf(signed)
    const { deposit, spoil } = signed
    const payment: RawPayment = rawPaymentWith({
      type: 'voucher',
      ...common,
      ...(await depositPart(deposit)),
    })
    if (spoil === undefined || payment.kind !== 'object') return payment
    const wire = structuredClone(payment.payload) as Wire
    spoil(wire)
    return { kind: 'object', payload: wire }
  }
  const sent = new Map<number, { readonly authorization: { readonly erc3009Authorization: object } }>()
  const depositPart = async (deposit: SignedDeposit | null) => {
    if (deposit === null) return {}
    const { salt, validBefore, validAfter = 0, value = whole } = deposit
    const erc3009Authorization = {
      ...{ validAfter: String(validAfter), validBefore: String(validBefore), salt: String(salt) },
      signature: await authorize(deposit),
    }
    const made = { amount: value.toString(), authorization: { erc3009Authorization } }
    sent.set(salt, made)
    return { type: 'deposit', deposit: made }
  }
  // They keep what they have hashed, which is the same for every process.
  const recover = fastestRecovery()
  const judgeVoucher = createVoucherJudge(BASE, recover)
  const authOf = (nonce: string): 0 | 1 => (nonces.get('first') === nonce ? 0 : 1)

  const start = (replica: number) => {
    incarnation += 1
    const owner = `replica-${replica}-${incarnation}`
    const held = new Proxy(ledger, {
      get(target, name: keyof Ledger) {
        const run = target[name]
        if (typeof run !== 'function') return run
        return (...args: unknown[]) => {
          const act = () => (run as (...args: unknown[]) => Promise<unknown>).apply(target, args)
          return world.stage.call({ replica, port: 'ledger', name, args }, act)
        }
      },
    })
    const context = {
      ...layer.context,
      ...{
        terms,
        owner,
        chain: chainOf(replica),
        ledger: held,
        bindings: createBindings(ports === undefined ? ledger : held, keys),
      },
      timing: { ...layer.context.timing, ...timingOf(replica) },
      ...{ refusals: createRefusalLimiter(), mismatches: createMismatchLimiter() },
    }
    const channels = createChannels(context, {
      ...{ authorizer, reader: reader(replica), facilitator: facilitatorOf(replica) },
      ...{ recover, judgeVoucher },
      ...(ports === undefined ? {} : { admits: async () => ports.admits() }),
      ...{
        signer,
        baseUrl: BASE_URL,
        report: (event: ChannelEvent) => ports?.report?.(event),
        terms: channelTerms(terms, { authorizer }),
      },
    })
    replicas[replica] = { channels, owner }
  }

  return Object.assign(world, {
    reset: (held?: (place: Place) => boolean) => {
      direct.exec('delete from channels; delete from channel_deposits; delete from locks; delete from facts')
      const isHeld = ports === undefined ? isVisible : held
      Object.assign(world, { stage: new Stage(isHeld), nowMs: epoch })
      for (let replica = 0; replica < 2; replica += 1) start(replica)
    },
    restart: (replica: number) => {
      world.stage.drop(replica)
      start(replica)
    },
    call: (replica: number, kind: CallKind) => {
      const call = singleCall({ skill, surface: 'channel', value: VALUES[CALLS[kind].body], client: 'c' })
      return (replicas[replica] as { channels: Channels }).channels.sell(
        call,
        rawPayments.get(kind) as RawPayment,
      )
    },
    ask: async (replica: number, signed: SignedVoucher) => {
      const { channels } = replicas[replica] as { channels: Channels }
      const { body, client = 'c' } = signed
      const call = singleCall({ skill, surface: 'channel', value: VALUES[body], client })
      return channels.sell(call, await rawPaymentFor(signed))
    },
    nonceOf,
    sentDeposit: (salt: bigint) => {
      const made = sent.get(Number(salt))
      const erc3009Authorization = {
        ...made?.authorization.erc3009Authorization,
        salt: toHex(salt, { size: 32 }),
      }
      return { ...made, authorization: { erc3009Authorization } }
    },
    ledger,
    channelId: id,
    amountOf: (prices: number) => BigInt(prices) * unit,
    config,
    offer: {
      ...accepted,
      maxTimeoutSeconds: 120,
      extra: {
        ...{ ...accepted.extra, receiverAuthorizer: authorizer.address, withdrawDelay: 86_400 },
        minDeposit: String(unit > MIN_DEPOSIT ? unit : MIN_DEPOSIT),
      },
    },
    signatureOf: (amount: bigint) => vouchers.get(amount)?.signature,
    verdictOf: (body: 'v' | 'w') => skill.check(VALUES[body]),
    refund: async (replica: number, amount: number, spoil?: (payment: Wire) => unknown) => {
      const { channels } = replicas[replica] as { channels: Channels }
      const voucher = await voucherFor(amount)
      const payment = rawPaymentWith({ type: 'refund', channelConfig: config, voucher })
      if (spoil === undefined || payment.kind !== 'object') return channels.refund(payment)
      const wire = structuredClone(payment.payload) as Wire
      spoil(wire)
      return channels.refund({ kind: 'object', payload: wire })
    },
    maintain: (replica: number, isDue: boolean) => {
      const { maintenance } = (replicas[replica] as { channels: Channels }).channels
      if (isDue) maintenance.claimSoon()
      return maintenance.run()
    },
    row: () => ledger.findChannel(id),
    deposit: async (auth: 0 | 1) => {
      const kinds = auth === 0 ? (['first'] as const) : (['again', 'topUp'] as const)
      for (const kind of kinds) {
        const found = await ledger.findDeposit(lower.payer, nonces.get(kind) ?? '')
        if (found !== null) return found
      }
      return null
    },
    deposits: async () => {
      const rows = await Promise.all([...vouchers.keys()].map((sum) => ledger.depositsWith(id, sum)))
      return rows.flat()
    },
    claimedWithoutRow: (replica: number) =>
      (replicas[replica] as { channels: Channels }).channels.maintenance.claimedWithoutRow(),
    ownerOf: (replica: number) => replicas[replica]?.owner ?? '',
    close: async () => {
      direct.close()
      await ledger.close()
      rmSync(dataDir, { recursive: true })
    },
  } satisfies Acts)
}

/** As the code keeps it. */
export const lowerCase = (config: ChannelConfig): ChannelConfig => {
  const lower = Object.entries(config).map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toLowerCase() : value,
  ])
  return Object.fromEntries(lower) as ChannelConfig
}

/** An account whose signatures say what they are over, so that a contract need not recover them. */
function readableSigner(account: ReturnType<typeof freshAccount>): ReturnType<typeof freshAccount> {
  const signTypedData = async ({ primaryType, message }: { primaryType: string; message: unknown }) =>
    signatureOver(primaryType, message)
  return { ...account, signTypedData: signTypedData as typeof account.signTypedData }
}

/** Such a signature. */
export const signatureOver = (primaryType: string, message: unknown): Hex => {
  const text = JSON.stringify([primaryType, message], (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return `0x${Buffer.from(text).toString('hex')}`
}

/** Reads, locks and looks at the token run at once; so does a state that is written down again as it was. */
function isVisible({
  port,
  name,
  args,
}: {
  readonly port: string
  readonly name: string
  readonly args: readonly unknown[]
}): boolean {
  if (port !== 'ledger') return true
  if (!STORE_WRITES.includes(name)) return false
  if (name !== 'moveChannel') return true
  const [seen, change] = args as [ChannelRow, Partial<ChannelRow>]
  const { readAt: _, ...rest } = change
  return Object.entries(rest).some(([key, value]) => seen[key as keyof ChannelRow] !== value)
}
