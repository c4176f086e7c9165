import { readFileSync } from 'node:fs'
import type { Environment } from './setting-text.ts'

/**
 * Reads each setting whose `<NAME>_FILE` is set. Adds one fault line for each file that is unreadable, empty, or
 * contradicts the setting.
 */
export function withSettingFiles(
  names: readonly string[],
  environment: Environment,
  faults: string[],
): Environment {
  const found: Record<string, string> = {}
  for (const name of names) {
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
