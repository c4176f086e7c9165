import type { Hex } from 'viem'
import { askSupport } from '../../app/health/facilitator-check.ts'
import { PRICE_UNITS } from '../../catalog/price.ts'
import type { LiveConfig } from '../../config.ts'
import { createLog } from '../../log.ts'
import { openForeignFacilitator } from '../../main/live/live-facilitator.ts'
import { ChainUnavailable } from '../../payments/chain/chain-reader.ts'
import { AGGREGATOR, type BatchForm } from '../../payments/chain/settlement-calls.ts'
import type { Symptom } from '../../payments/facilitators/facilitator-fault.ts'
import { inspectSettlement } from '../../payments/facilitators/self/open-settlement.ts'
import { gasStatusOf } from '../../payments/ports/own-settlement.ts'
import type { Signer } from '../../payments/ports/signer.ts'
import { type Finding, fail, pass, warn } from './finding.ts'

export async function checkFacilitator(
  { facilitator, chain, channels }: LiveConfig,
  settlement: Signer['settlement'],
): Promise<Finding> {
  if (facilitator.kind === 'self') return checkGas(settlement?.address as Hex, chain)
  const { network } = chain
  const opened = openForeignFacilitator(facilitator, createLog({ level: 'silent' }))
  try {
    const { support, symptom } = await askSupport(opened.client, network)
    switch (support) {
      case 'supported':
        return channels !== null || facilitator.fee < PRICE_UNITS
          ? pass('facilitator', `FACILITATOR_URL settles x402 version 2, exact, on ${network.id}`)
          : warn(
              'facilitator',
              'FACILITATOR_FEE_USD takes the whole price of a single call',
              'Sell lists, or set CHANNELS=on: docs/going-live.md#what-you-keep has what is left.',
            )
      case 'unsupported':
        return fail(
          'facilitator',
          `FACILITATOR_URL does not settle x402 version 2, exact, on ${network.id}`,
          'Use a facilitator that lists this kind under /supported.',
        )
      case 'no_answer':
        return describeSilence(symptom)
    }
  } finally {
    await opened.close()
  }
}

function describeSilence({ status, code }: Symptom): Finding {
  if (status === undefined) {
    const found = `FACILITATOR_URL does not answer /supported${code === undefined ? '' : ` (${code})`}`
    return fail('facilitator', found, 'Check the address, the credentials and the firewall.')
  }
  if (status === 200) {
    return fail(
      'facilitator',
      'FACILITATOR_URL answers /supported with no list of kinds',
      'Check the address: /supported, /verify and /settle are to be right under it.',
    )
  }
  if (status >= 300 && status < 400) {
    return fail(
      'facilitator',
      `FACILITATOR_URL redirects /supported (${status}), which is not followed`,
      'Set the address that it redirects to.',
    )
  }
  const found = `FACILITATOR_URL answers /supported with ${status}`
  return status === 401 || status === 403
    ? fail('facilitator', found, 'Check the credentials, and the clock of this machine.')
    : fail('facilitator', found, 'Check the address, or ask its operator.')
}

async function checkGas(account: Hex, chain: LiveConfig['chain']): Promise<Finding> {
  const { gasLevel, batchForm } = inspectSettlement({ ...chain, account })
  const { title } = chain.network
  try {
    switch (gasStatusOf(await gasLevel())) {
      case 'ok':
        return describeBatches(account, await batchForm().catch(() => 'deployed' as const))
      case 'low':
        return warn(
          'facilitator',
          `${account} can pay for fewer than 500 settlements`,
          `Send it ETH on ${title}.`,
        )
      case 'empty':
        return fail('facilitator', `${account} cannot pay for a settlement`, `Send it ETH on ${title}.`)
    }
  } catch (error) {
    if (!(error instanceof ChainUnavailable)) throw error
    return fail('facilitator', `the balance of ${account} could not be read`, 'See the line "node".')
  }
}

function describeBatches(account: Hex, form: BatchForm | null): Finding {
  const settles = `this service settles itself; ${account} can pay for gas`
  switch (form) {
    case 'deployed':
      return pass('facilitator', `${settles}; batches go through the aggregator ${AGGREGATOR}`)
    case 'sent along':
      return warn(
        'facilitator',
        `${settles}; the aggregator is not deployed, so each batch carries its code for 37,000 gas`,
        'Deploy it once: docs/operations.md#the-aggregator has the transaction.',
      )
    case null:
      return warn(
        'facilitator',
        'the node of RPC_URL runs no batch, so each payment is settled by a transaction of its own',
        'Use a node of Base that runs eth_call without an address.',
      )
  }
}
