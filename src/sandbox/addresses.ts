import { SANDBOX } from '../payments/networks/sandbox.ts'

/** The sandbox's chain has the chain id of Base, so that clients need no other setting. */
export const BASE_CHAIN_ID = SANDBOX.chainId

/** The sandbox's token is at the address of USDC. */
export const TOKEN = SANDBOX.token.address

export const { channels: CHANNEL_SETTLEMENT, depositCollector: DEPOSIT_COLLECTOR } = SANDBOX.contracts
