export type Environment = Readonly<Record<string, string | undefined>>

/** Blank values are left out. */
export function trimmed(environment: Environment): Environment {
  const entries = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/**
 * Adds one fault line for each setting in quotes: a shell removes them, `docker run --env-file` and a secret of
 * Kubernetes keep them. Returns the environment without them, so that they cause no second fault.
 */
export function unquoted(names: readonly string[], environment: Environment, faults: string[]): Environment {
  const found: Record<string, string> = {}
  for (const name of names) {
    const value = environment[name] ?? ''
    if (!/^(["']).*\1$/s.test(value)) continue
    found[name] = value.slice(1, -1)
    faults.push(`${name}: stands in quotes, which count as part of the value here; write it without them`)
  }
  return { ...environment, ...found }
}
