import type { ChannelEvent } from '../../payments/channels/channel-context.ts'
import type { SaleReport, SaleTiming } from '../../payments/sale/table/sale-context.ts'
import type { Keyring } from '../../payments/secrets/keyring.ts'
import type { SkillRegistry } from '../../skills/skill.ts'
import type { AppOptions } from '../options.ts'

type Parts = 'ledger' | 'facilitator' | 'chain' | 'channels' | 'now' | 'log'
type Settings = 'network' | 'baseUrl' | 'payTo' | 'dataDir' | 'receiptKey' | 'finalityDepth' | 'proofOnChain'

export interface PaymentLayerOptions extends Pick<AppOptions, Parts | Settings> {
  readonly registry: SkillRegistry
  readonly keys: Keyring
  readonly maySettle: () => boolean
  /** Whether that is because a day has lost what it may; false by default. */
  readonly isBudgetSpent?: () => boolean
  /** Shorter waits, for tests. */
  readonly timing?: Partial<SaleTiming>
  /** UTC milliseconds by the chain's clock; the local clock by default. */
  readonly chainTime?: () => number | null
  /** Number of the newest block; null, the default, when it is not known. */
  readonly headNumber?: () => bigint | null
  /** Called with every count and event, for the metrics. */
  readonly onCount?: (surface: string, checkType: string, outcome: string) => void
  readonly onEvent?: (event: SaleReport['event'] | ChannelEvent) => void
}
