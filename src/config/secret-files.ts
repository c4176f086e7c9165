import { readFileSync } from 'node:fs'

/** Settings that may stand in a file, which `<NAME>_FILE` names: those that nobody but the service should read. */
export const SECRET_SETTINGS = [
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'CARD_KEY',
  'RECEIPT_KEY',
  'SETTLEMENT_KEY',
  'FACILITATOR_TOKEN',
  'CDP_API_KEY_SECRET',
  'DATABASE_URL',
  'RPC_URL',
  'ADMIN_TOKEN',
] as const

type Environment = Readonly<Record<string, string | undefined>>

/** The environment with the settings that stand in files; a fault line for each that cannot be had. */
export function withSecretFiles(environment: Environment, faults: string[]): Environment {
  const found: Record<string, string> = {}
  for (const name of SECRET_SETTINGS) {
    const path = environment[`${name}_FILE`]
    if (path === undefined) continue
    if (environment[name] !== undefined) {
      faults.push(`${name}_FILE: contradicts ${name}; set one of them`)
      continue
    }
    try {
      found[name] = readFileSync(path, 'utf8').trim()
    } catch (error) {
      faults.push(`${name}_FILE: names a file that cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
    if (found[name] === '') faults.push(`${name}_FILE: names a file that is empty`)
  }
  return { ...environment, ...found }
}
