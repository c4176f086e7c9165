import { parseArgs } from 'node:util'
import { parseUnits } from 'viem/utils'
import { buyCheck, type PurchaseOutcome } from '../buyer/buy-check.ts'
import { readBuyerKey } from '../config.ts'
import { findBuyerKey } from './buyer-key.ts'
import { readType } from './check-type.ts'
import { UsageError } from './usage-error.ts'

/** USDC has six decimals. */
const DECIMALS = 6

/** `buy TYPE VALUE`: pays for a check over the public door and prints verdict and transaction. */
export async function buy(args: readonly string[]): Promise<number> {
  const { values, positionals } = readArguments(args)
  const [typeText, value, ...rest] = positionals
  const type = readType(typeText)
  if (value === undefined || rest.length > 0) throw new UsageError('buy needs a TYPE and one VALUE')
  const url = values.url
  if (!URL.canParse(url)) throw new UsageError('--url has to be an absolute URL')
  const outcome = await buyCheck({
    url,
    type,
    value,
    privateKey: await findBuyerKey(url, readBuyerKey()),
    maxAmount: readPrice(values['max-price']),
  })
  console.log(values.json ? JSON.stringify(outcome) : describe(outcome))
  return exitCode(outcome)
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        url: { type: 'string', default: 'http://127.0.0.1:4021' },
        'max-price': { type: 'string', default: '0.001' },
        json: { type: 'boolean', default: false },
      },
    })
  } catch {
    throw new UsageError('buy has the options --url, --max-price and --json')
  }
}

function readPrice(text: string): bigint {
  if (!/^[0-9]{1,9}(\.[0-9]{1,6})?$/.test(text))
    throw new UsageError('--max-price has to be US dollars, e.g. 0.001')
  return parseUnits(text, DECIMALS)
}

function describe(outcome: PurchaseOutcome): string {
  switch (outcome.kind) {
    case 'bought': {
      const { verdict, settlement, replayed } = outcome
      const shape = verdict.normalized === null ? '' : ` ${verdict.normalized}`
      return [
        `${verdict.valid ? 'valid' : 'invalid'}${shape}`,
        `${verdict.reason} (${verdict.details.code})`,
        replayed ? 'answered from an earlier payment, not charged again' : 'paid 0.001 USDC',
        `transaction ${settlement.transaction}`,
      ].join('\n')
    }
    case 'refused':
      return `${outcome.code} (HTTP ${outcome.status}): ${outcome.detail}`
    case 'too_dear':
      return 'The price is above --max-price. Nothing was signed.'
    case 'unreachable':
      return outcome.signed
        ? 'The service did not answer. If the request was already paid, running it again is not charged twice.'
        : 'The service did not answer. Nothing was signed.'
  }
}

function exitCode(outcome: PurchaseOutcome): number {
  if (outcome.kind === 'bought') return 0
  if (outcome.kind === 'unreachable') return outcome.signed ? 3 : 1
  return outcome.kind === 'refused' && outcome.code === 'payment_in_doubt' ? 3 : 1
}
