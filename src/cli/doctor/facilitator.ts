import { privateKeyToAccount } from 'viem/accounts'
import { askSupport } from '../../app/health/facilitator-check.ts'
import type { LiveConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { openForeignFacilitator } from '../../main/live/live-facilitator.ts'
import { ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { createGasGauge, gasStatusOf } from '../../payments/facilitators/gas-level.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

/** Checks that the facilitator settles our kind of payment, or that our own account can pay for gas. */
export async function checkFacilitator({ facilitator, rpcUrls }: LiveConfig): Promise<Finding> {
  if (facilitator.kind === 'self') return checkGas(facilitator.settlementKey, rpcUrls)
  const opened = openForeignFacilitator(facilitator, createLog({ level: 'silent' }))
  if (opened === null) throw new Error('a facilitator of kind http is always opened')
  try {
    switch (await askSupport(opened.client)) {
      case 'supported':
        return pass('facilitator', 'FACILITATOR_URL settles x402 version 2, exact, on eip155:8453')
      case 'unsupported':
        return fail(
          'facilitator',
          'FACILITATOR_URL does not settle x402 version 2, exact, on eip155:8453',
          'Use a facilitator that lists this kind under /supported.',
        )
      case 'no_answer':
        return fail(
          'facilitator',
          'FACILITATOR_URL does not answer /supported',
          'Check the address, the credentials and the firewall.',
        )
    }
  } finally {
    await opened.close()
  }
}

async function checkGas(settlementKey: `0x${string}`, rpcUrls: readonly string[]): Promise<Finding> {
  const { address: account } = privateKeyToAccount(settlementKey)
  try {
    switch (gasStatusOf(await createGasGauge({ rpcUrls, account })())) {
      case 'ok':
        return pass('facilitator', `this service settles itself; ${account} can pay for gas`)
      case 'low':
        return warn(
          'facilitator',
          `${account} can pay for fewer than 500 settlements`,
          'Send it ETH on Base.',
        )
      case 'empty':
        return fail('facilitator', `${account} cannot pay for a settlement`, 'Send it ETH on Base.')
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return fail('facilitator', `the balance of ${account} could not be read`, 'See the line "node".')
  }
}
