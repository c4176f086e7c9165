import { parseArgs } from 'node:util'
import { closest } from '../catalog/closest.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'
import { UsageError } from './usage-error.ts'

type ValueOf<O extends OptionSpec> = O extends { readonly default: string }
  ? string
  : O extends { readonly again: 'kept' }
    ? readonly string[] | undefined
    : O extends { readonly value: string }
      ? string | undefined
      : boolean

export interface ParsedArguments<S extends CommandSpec> {
  readonly values: { readonly [K in keyof S['options']]: ValueOf<S['options'][K]> }
  readonly positionals: readonly string[]
}

/** Parses the arguments of a command by its spec; throws {@link UsageError}, which repeats no value. */
export function parseArguments<const S extends CommandSpec>(
  spec: S,
  args: readonly string[],
): ParsedArguments<S> {
  const options = Object.fromEntries(
    Object.entries(spec.options).map(([name, { value, short }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  )
  const { tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  const values: Record<string, string | boolean | readonly string[] | undefined> = {}
  for (const [name, option] of Object.entries(spec.options)) {
    values[name] = option.value === undefined ? false : option.default
  }
  const positionals: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    else if (token.kind === 'option') {
      const taken = readOption(spec, token)
      const again = spec.options[token.name]?.again
      const before = values[token.name]
      if (again === 'refused' && before !== undefined) throw new UsageError(`--${token.name} is taken once`)
      values[token.name] = again === 'kept' ? [...(Array.isArray(before) ? before : []), taken] : taken
    }
  }
  if (spec.positionals === undefined && positionals.length > 0) {
    throw new UsageError(`this command takes no values. ${listOptions(spec)}`)
  }
  return { values: values as ParsedArguments<S>['values'], positionals }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
  readonly index: number
}

function readOption(spec: CommandSpec, { name, rawName, value, inlineValue, index }: OptionToken) {
  const option = Object.hasOwn(spec.options, name) ? spec.options[name] : undefined
  if (option === undefined) throw new UsageError(describeUnknown(spec, rawName, name, index))
  if (option.value === undefined) {
    if (inlineValue === true) throw new UsageError(`--${name} takes no value`)
    return true
  }
  if (value === undefined || (value.startsWith('-') && value !== '-' && inlineValue !== true)) {
    throw new UsageError(`--${name} needs a value: --${name} ${option.value}`)
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw new UsageError(`--${name} must be one of ${option.choices.join(', ')}`)
  }
  return value
}

/** Repeats only what looks like an option: it may be a value that begins with a dash. */
function describeUnknown(spec: CommandSpec, rawName: string, name: string, index: number): string {
  const named = /^--?[a-z][a-z-]{0,19}$/.test(rawName)
    ? `option ${rawName}`
    : `option (argument ${index + 1})`
  const suggestion = closest(name, Object.keys(spec.options))
  const advice = suggestion === undefined ? listOptions(spec) : `Did you mean --${suggestion}?`
  const dash = spec.positionals === undefined ? '' : ' Put a VALUE that begins with a dash after "--".'
  return `unknown ${named}. ${advice}${dash}`
}

function listOptions({ options }: CommandSpec): string {
  const names = Object.keys(options).map((name) => `--${name}`)
  return names.length === 0 ? 'It has no options.' : `Its options: ${names.join(', ')}.`
}
