/**
 * The load generator as a process: takes jobs over IPC, one at a time. Paid requests are signed before the clock
 * runs: the loader says `ready`, and begins on the message to go.
 */
import type { PaymentRequired } from '@x402/core/types'
import { type Driven, drive, type Next } from './drive.ts'
import { inBandRequests } from './in-band.ts'
import { callOf, type PaidSurface } from './paid-request.ts'
import { buyersOf, paymentSigner } from './sign-payments.ts'
import { createChannelBooks, voucherRequests } from './sign-vouchers.ts'

export type Source =
  /** The same bytes again and again, in base64, `count` times where there is one. */
  | { readonly kind: 'fixed'; readonly bytes: string; readonly count?: number }
  /** That many payments, each used once. */
  | {
      readonly kind: 'paid'
      readonly surface: PaidSurface
      readonly count: number
      readonly required: PaymentRequired
      readonly payers: number
    }
  /** That many payments, each the second of two messages to the A2A endpoint. */
  | {
      readonly kind: 'in_band'
      readonly count: number
      readonly required: PaymentRequired
      readonly payers: number
    }
  /** That many vouchers, of so many channels that go on from one job to the next. */
  | {
      readonly kind: 'vouchers'
      readonly count: number
      readonly required: PaymentRequired
      readonly channels: number
    }

export interface Job {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  readonly expected: number
  readonly source: Source
}

export type ToLoader = { readonly kind: 'prepare'; readonly job: Job } | { readonly kind: 'go' }
export type FromLoader =
  | { readonly kind: 'ready' }
  | { readonly kind: 'driven'; readonly driven: Driven }
  | { readonly kind: 'failed'; readonly why: string }

const books = createChannelBooks()

function requestsOf(source: Source, connections: number): Next {
  if (source.kind === 'vouchers') return voucherRequests(books, source, connections)
  if (source.kind === 'fixed') {
    const bytes = Buffer.from(source.bytes, 'base64')
    const left = { count: source.count ?? Number.POSITIVE_INFINITY }
    return () => (left.count-- > 0 ? bytes : undefined)
  }
  if (source.kind === 'in_band') return inBandRequests(source)
  const buyers = buyersOf(source.payers)
  const sign = paymentSigner(source.required)
  const requests = Array.from({ length: source.count }, (_, index) =>
    callOf(source.surface, sign(buyers[index % buyers.length]!)),
  )
  return () => requests.pop()
}

function answer(message: FromLoader): void {
  process.send?.(message)
}

if (import.meta.main) {
  const prepared: { job?: Job; next?: Next } = {}
  process.on('message', (message: ToLoader) => {
    if (message.kind === 'prepare') {
      prepared.job = message.job
      prepared.next = requestsOf(message.job.source, message.job.connections)
      answer({ kind: 'ready' })
    } else {
      const { job, next } = prepared
      if (job === undefined || next === undefined) throw new Error('nothing prepared')
      drive({ ...job, next }).then(
        (driven) => answer({ kind: 'driven', driven }),
        (error: unknown) => answer({ kind: 'failed', why: String(error) }),
      )
    }
  })
  process.on('disconnect', () => process.exit())
}
