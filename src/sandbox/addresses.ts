import { SANDBOX } from '../payments/networks/sandbox.ts'

export const BASE_CHAIN_ID = SANDBOX.chainId

export const TOKEN = SANDBOX.token.address

export const { channels: CHANNEL_SETTLEMENT, depositCollector: DEPOSIT_COLLECTOR } = SANDBOX.contracts
