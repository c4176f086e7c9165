import type { Held } from './heap-watch.ts'

/** Something the service should not have done, and by which input. */
export interface Finding {
  readonly rule: string
  readonly kind: string
  readonly number: number
  readonly sent: string
  readonly answered: string
}

export interface CampaignReport {
  readonly seed: number
  readonly seconds: number
  readonly inputs: number
  readonly kinds: Readonly<Record<string, number>>
  readonly statuses: Readonly<Record<string, number>>
  readonly findings: readonly Finding[]
  /** Payments that reached the payee. */
  readonly charged: number
  /** Payments that a verdict was seen for. */
  readonly verdicts: number
  readonly held: readonly Held[]
  readonly rows: { readonly payments: number; readonly tasks: number }
}
