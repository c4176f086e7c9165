import { editDistance } from '../values/edit-distance.ts'

/** Shorter names resemble variables of other programs: HOST is one slip away from HOME. */
const SHORTEST = 6
/** From this length on, two mistakes still point to one setting only. */
const LONG = 10

/** What to do in place of each setting that was removed. */
const ENDED: Readonly<Record<string, string>> = {
  WORKERS: 'start several replicas on one DATABASE_URL',
  FACILITATOR_FALLBACK_URL: 'unset it; calls that need a verification wait for FACILITATOR_URL',
  FACILITATOR_VERIFY: 'unset it; a facilitator judges a payment when it settles it',
  SETTLEMENT_DEPTH: 'unset it; the audit reports a transfer that a reorganisation removed',
  SIGNER_DAILY_GWEI: 'set SIGNER_DAILY_USD',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'unset it; the metrics have the durations of store, facilitator and node',
  SETTLEMENT_BATCH_MOST: 'unset it; a transaction settles up to 64 payments',
  SETTLEMENT_BATCH_MS: 'unset it; payments gather for 25 ms at most',
  MAX_CONNECTIONS_PER_ADDRESS: 'unset it; it is a twentieth of MAX_CONNECTIONS, at least 16',
  ALLOW_STORE_OF: 'write it second in NETWORK, with a comma between',
  ADMIN_HOST: 'write ADMIN_PORT as host:port',
  SECRET_KEY_PREVIOUS: 'write SECRET_KEY as new,old',
  CARD_KEY_PREVIOUS: 'write it into FORMER_KEYS',
  RECEIPT_KEY_PREVIOUS: 'write it into FORMER_KEYS',
  WELL_KNOWN_DIR: 'make it the folder well-known in OPERATOR_DIR',
  INCIDENTS_FILE: 'make it the file incidents.txt in OPERATOR_DIR',
  CDP_API_KEY_ID: 'write {"id":"...","privateKey":"..."} as FACILITATOR_TOKEN',
  CDP_API_KEY_SECRET: 'write {"id":"...","privateKey":"..."} as FACILITATOR_TOKEN',
}

/** Returns one fault line for each setting that was removed: an operator who sets it expects its effect. */
export const findEnded = (environment: Readonly<Record<string, unknown>>): string[] =>
  Object.entries(ENDED).flatMap(([name, instead]) =>
    [name, `${name}_FILE`]
      .filter((each) => environment[each] !== undefined)
      .map((each) => `${each}: was ended in 1.2.0; ${instead}`),
  )

/**
 * Returns one fault line for each variable that is not a setting but looks like a misspelt one, such as RPC_ULR: a
 * setting that is silently ignored could send money the wrong way. The line names variables and never a value.
 */
export function findMisspelt(
  known: readonly string[],
  environment: Readonly<Record<string, unknown>>,
): string[] {
  const names = [...known, ...known.map((name) => `${name}_FILE`)]
  const exact = new Set([...names, ...Object.keys(ENDED)])
  return Object.keys(environment)
    .filter((name) => !exact.has(name))
    .flatMap((name) => {
      const meant =
        names.find((each) => isWrittenAs(name, each)) ??
        names.find((each) => isLong(name) && isLong(each) && isNear(name, each))
      return meant === undefined ? [] : [`${name}: is not a setting; did you mean ${meant}?`]
    })
}

const isLong = (name: string) => name.length >= SHORTEST

/**
 * True for PAYTO and pay_to (PAY_TO), and for FACILITATOR (FACILITATOR_URL). A setting of one word must be written exactly,
 * since other programs have variables like it.
 */
function isWrittenAs(name: string, setting: string): boolean {
  const spelled = letters(name)
  const short = setting.replace(/_URL$/, '')
  return (
    (setting.includes('_') && spelled === letters(setting)) ||
    (short !== setting && isLong(short) && spelled === letters(short))
  )
}

const letters = (name: string) => name.replaceAll(/[-_.]/g, '').toUpperCase()

function isNear(a: string, b: string): boolean {
  const mistakes = b.length >= LONG ? 2 : 1
  // Names that differ more in length need not be compared.
  return Math.abs(a.length - b.length) <= mistakes && editDistance(a, b) <= mistakes
}
