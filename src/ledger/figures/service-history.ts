/** What is counted by hour for the public status page. */
export type ServiceCount =
  /** Calls with a payment that got a verdict, or the reason why the payment was not taken. */
  | 'answered'
  /** Calls with a payment that the service, its store, its node or its facilitator failed. */
  | 'failed'
  /** New sales among those answered. */
  | 'sold'
  /** Answered calls by the time they took, each in at most one of these. */
  | 'within_250_ms'
  | 'within_1_s'
  | 'within_5_s'
  /** Minutes in which a replica was up and could write to the store. */
  | 'minutes'

export type ServiceDay = Readonly<Partial<Record<ServiceCount, number>>>

export interface ServiceHistory {
  /** By UTC day, YYYY-MM-DD, oldest first; days without counts are missing. */
  readonly days: ReadonlyMap<string, ServiceDay>
  /** The UTC hour of the newest sale, YYYY-MM-DDTHH; null without one. */
  readonly lastSaleHour: string | null
}
