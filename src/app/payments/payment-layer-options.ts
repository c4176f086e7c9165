import type { SkillRegistry } from '../../catalog/skill.ts'
import type { ChannelEvent } from '../../payments/channels/channel-context.ts'
import type { NetworkContext, SaleReport, SaleTiming } from '../../payments/sale/table/sale-context.ts'
import type { Keyring } from '../../payments/secrets/keyring.ts'
import type { JwsKey } from '../../receipts/jws-key.ts'
import type { NonEmpty } from '../../values/non-empty.ts'
import type { AppOptions, NetworkParts } from '../options.ts'

type Parts = 'ledger' | 'channels' | 'now' | 'log'
type Settings = 'baseUrl' | 'payTo' | 'proofOnChain'

export interface PayableNetwork
  extends Pick<NetworkParts, 'network' | 'facilitator' | 'chain'>,
    Pick<NetworkContext, 'pausedBy'>,
    Partial<Pick<NetworkContext, 'chainTime' | 'headNumber' | 'losses'>> {}

export interface PaymentLayerOptions extends Pick<AppOptions, Parts | Settings> {
  readonly networks: NonEmpty<PayableNetwork>
  readonly registry: SkillRegistry
  readonly keys: Keyring
  readonly receiptKey: JwsKey
  readonly timing?: Partial<SaleTiming>
  readonly onCount?: (surface: string, checkType: string, outcome: string) => void
  readonly onEvent?: (event: SaleReport['event'] | ChannelEvent) => void
}
