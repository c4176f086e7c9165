import type { CheckType } from 'format-checker-checks/verdict'
import { type Columns, integer, maybeInteger, reader, same, units, writer } from '../store/columns.ts'

/** Identifies one EIP-3009 authorization; all members are lower-case. */
export interface PaymentKey {
  readonly network: string
  readonly asset: string
  readonly payer: string
  /** 32 bytes, 0x-prefixed hex. */
  readonly nonce: string
}

/** What each state means is in `payments/sale/table/sale-table.ts`. */
export const PAYMENT_STATES = ['claimed', 'settling', 'settled', 'refused', 'in_doubt', 'void'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/**
 * `restored`: written from the chain after a restore, and settled by a second write. `adopted`: restored, and bound to
 * the first call that its buyer made with it.
 */
export type PaymentOrigin = 'sale' | 'restored' | 'adopted'

/** `mixed` for a list of several types. */
export type PurchaseType = CheckType | 'mixed'

/** One authorization and what became of it. Times are UTC milliseconds unless a name says otherwise. */
export interface PaymentRow extends PaymentKey {
  /** Atomic units of the asset. */
  readonly amount: bigint
  readonly payTo: string
  readonly origin: PaymentOrigin
  /** UTC seconds, as signed; null for a restored payment, since the transfer does not tell it. */
  readonly validBefore: number | null
  readonly state: PaymentState
  /** Id of the process that works on the row; null if none does. */
  readonly owner: string | null
  readonly leaseUntil: number
  readonly attempts: number
  readonly refusal: string | null
  /**
   * `denied`: a facilitator says that it did nothing with the settlement. `not_needed`: released unsent, because
   * another payment was taken for its call.
   */
  readonly doubt: 'denied' | 'not_needed' | null
  readonly transaction: string | null
  readonly logIndex: number | null
  /** Whether the audit found the transfer on the chain; null before the audit. */
  readonly audit: 'found' | 'missing' | null
  readonly surface: string
  readonly checkType: PurchaseType
  readonly ruleset: string
  /** A list of one value is not the same call as a single one. */
  readonly shape: 'single' | 'list'
  readonly items: number
  /** Salt and MAC over types and values; null once the replay window is over. */
  readonly salt: Buffer | null
  readonly binding: Buffer | null
  /** Name of the hourly key the binding was made with. */
  readonly bindingKey: string | null
  /** MAC of a signature that only a facilitator could judge; null if the signer was recovered locally. */
  readonly signatureMac: Buffer | null
  /** MAC of payer and payment identifier; null without an identifier, or once the replay window is over. */
  readonly identifier: Buffer | null
  readonly taskKey: string | null
  readonly mismatches: number
  /** True while a new authorization of the same payer for the same call is answered from this row. */
  readonly awaitsAnswer: boolean
  readonly claimedAt: number
  /** Number of the chain's newest block at the claim; null if it was not known. */
  readonly claimedBlock: bigint | null
  readonly settlingAt: number | null
  readonly settledAt: number | null
  /** When a reply with the verdict first left in full. */
  readonly deliveredAt: number | null
}

/** When the authorization ends, UTC seconds; long ago for a restored payment, which has settled. */
export const endOf = ({ validBefore }: Pick<PaymentRow, 'validBefore'>): number => validBefore ?? 0

/** How long a payment or deposit belongs to the process that settles it. */
export const LEASE_MS = 30_000

export const NO_LEASE = { owner: null, leaseUntil: 0 } as const

export type SeenPayment = Pick<
  PaymentRow,
  keyof PaymentKey | 'state' | 'owner' | 'leaseUntil' | 'identifier' | 'origin'
>

export type PaymentChange = Partial<
  Omit<
    PaymentRow,
    | keyof PaymentKey
    | 'amount'
    | 'payTo'
    | 'validBefore'
    | 'mismatches'
    | 'awaitsAnswer'
    | 'claimedBlock'
    | 'deliveredAt'
  >
>

/** In `valid_before`: a restored payment has no end. */
const NO_END = 0

export const CALL_COLUMNS = {
  surface: same<string>('surface'),
  checkType: same<PaymentRow['checkType']>('check_type'),
  ruleset: same<string>('ruleset'),
  shape: same<PaymentRow['shape']>('shape'),
  items: integer('items'),
  salt: same<Buffer | null>('salt'),
  binding: same<Buffer | null>('binding'),
  bindingKey: same<string | null>('binding_key'),
}

export const KEY_COLUMNS: Columns<PaymentKey> = {
  network: same('network'),
  asset: same('asset'),
  payer: same('payer'),
  nonce: same('nonce'),
}

const PAYMENT: Columns<PaymentRow> = {
  ...KEY_COLUMNS,
  amount: units('amount'),
  payTo: same('pay_to'),
  origin: same('origin'),
  validBefore: {
    name: 'valid_before',
    read: (stored) => (Number(stored) === NO_END ? null : Number(stored)),
    write: (member) => member ?? NO_END,
  },
  state: same('state'),
  owner: same('owner'),
  leaseUntil: integer('lease_until'),
  attempts: integer('attempts'),
  refusal: same('refusal'),
  doubt: same('doubt'),
  transaction: same('tx'),
  logIndex: maybeInteger('log_index'),
  audit: same('audit'),
  ...CALL_COLUMNS,
  signatureMac: same('signature_mac'),
  identifier: same('identifier'),
  taskKey: same('task_key'),
  mismatches: integer('mismatches'),
  awaitsAnswer: {
    name: 'awaits_answer',
    read: (stored) => Number(stored) === 1,
    write: (member) => (member ? 1 : 0),
  },
  claimedAt: integer('claimed_at'),
  claimedBlock: {
    name: 'claimed_block',
    read: (stored) => (stored === null ? null : BigInt(stored as number)),
    write: (member) => (member === null ? null : Number(member)),
  },
  settlingAt: maybeInteger('settling_at'),
  settledAt: maybeInteger('settled_at'),
  deliveredAt: maybeInteger('delivered_at'),
}

export const PAYMENT_COLUMNS: readonly string[] = Object.values(PAYMENT).map(({ name }) => name)

export const toPaymentRow = reader(PAYMENT)
export const fromPayment = writer(PAYMENT)
