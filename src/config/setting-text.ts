type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment without white space at the ends of values (as of a Windows line end), and without blank ones. */
export function trimmed(environment: Environment): Environment {
  const entries = Object.entries(environment).map(([name, value]) => [name, value?.trim()] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

/**
 * Returns the environment with settings that stand in quotes freed of them, so that they are judged as they were meant.
 * Adds one fault line for each: a shell takes quotes away, `docker run --env-file` and a secret of Kubernetes keep them.
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
