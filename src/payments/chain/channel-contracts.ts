import { BASE } from '../networks/base.ts'

/** The settlement contract of payment channels and its ERC-3009 deposit collector: the same on every chain. */
export const { channels: SETTLEMENT, depositCollector: DEPOSIT_COLLECTOR } = BASE.contracts
