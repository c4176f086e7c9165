import type { CommandSpec } from './command-spec.ts'
import { COMMAND_NAMES, COMMANDS, findCommand } from './commands.ts'
import { parseArguments } from './parse-arguments.ts'
import { UsageError } from './usage-error.ts'

const PROGRAM = 'format-checker'

/** `completion SHELL`: prints a script that completes commands, options and their choices. */
export async function completion(args: readonly string[]): Promise<number> {
  const { positionals } = parseArguments(COMMANDS.completion, args)
  const [shell, ...rest] = positionals
  const render = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined
  if (render === undefined || rest.length > 0) {
    throw new UsageError(`completion needs one SHELL: ${Object.keys(SCRIPTS).join(', ')}`)
  }
  console.log(render())
  return 0
}

const SCRIPTS: Readonly<Record<string, () => string>> = { bash, zsh, fish }

const specs = (): (readonly [string, CommandSpec])[] =>
  COMMAND_NAMES.map((name) => [name, findCommand(name) as CommandSpec])

/** Every word that may follow the command. */
const wordsOf = (spec: CommandSpec): string =>
  [
    ...(spec.positionals ?? []).flatMap(({ choices = [] }) => choices),
    ...Object.keys(spec.options).map((name) => `--${name}`),
    '--help',
  ].join(' ')

/** `case` arms for the value of an option that has choices, or that is a file. */
const valueArms = (files: string, words: (choices: string) => string): string =>
  [
    ...new Map(
      specs().flatMap(([, { options }]) =>
        Object.entries(options).flatMap(([name, { choices, isFile }]) => {
          if (isFile === true) return [[name, files] as const]
          return choices === undefined ? [] : [[name, words(choices.join(' '))] as const]
        }),
      ),
    ),
  ]
    .map(([name, action]) => `    --${name}) ${action}; return ;;`)
    .join('\n')

function bash(): string {
  const reply = (words: string) => `COMPREPLY=($(compgen -W "${words}" -- "$word"))`
  const arms = specs().map(([name, spec]) => `    ${name}) ${reply(wordsOf(spec))} ;;`)
  return `_format_checker() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    ${reply(`${COMMAND_NAMES.join(' ')} help --version --help`)}
    return
  fi
  case "$previous" in
    help) ${reply(COMMAND_NAMES.join(' '))}; return ;;
${valueArms('COMPREPLY=($(compgen -f -- "$word"))', reply)}
  esac
  case "\${COMP_WORDS[1]}" in
${arms.join('\n')}
  esac
}
complete -F _format_checker ${PROGRAM}`
}

function zsh(): string {
  const arms = specs().map(([name, spec]) => `    ${name}) compadd -- ${wordsOf(spec)} ;;`)
  return `#compdef ${PROGRAM}
_format_checker() {
  if (( CURRENT == 2 )); then
    compadd -- ${COMMAND_NAMES.join(' ')} help --version --help
    return
  fi
  case "\${words[CURRENT-1]}" in
    help) compadd -- ${COMMAND_NAMES.join(' ')}; return ;;
${valueArms('_files', (choices) => `compadd -- ${choices}`)}
  esac
  case "\${words[2]}" in
${arms.join('\n')}
  esac
}
compdef _format_checker ${PROGRAM}`
}

function fish(): string {
  const quote = (text: string) => `'${text.replaceAll("'", "\\'")}'`
  const line = (rest: string) => `complete -c ${PROGRAM} ${rest}`
  const perCommand = specs().flatMap(([name, { summary, options, positionals = [] }]) => [
    line(`-f -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`),
    ...positionals.flatMap(({ choices }) =>
      choices === undefined
        ? []
        : [line(`-f -n ${quote(`__fish_seen_subcommand_from ${name}`)} -a ${quote(choices.join(' '))}`)],
    ),
    ...Object.entries(options).map(([option, { type, short, choices, isFile, help }]) => {
      const value =
        type === 'boolean'
          ? ''
          : isFile === true
            ? ' -r -F'
            : ` -x${choices ? ` -a ${quote(choices.join(' '))}` : ''}`
      const letter = short === undefined ? '' : ` -s ${short}`
      return line(
        `-n ${quote(`__fish_seen_subcommand_from ${name}`)} -l ${option}${letter}${value} -d ${quote(help)}`,
      )
    }),
  ])
  return [
    line(`-f -n __fish_use_subcommand -a help -d ${quote('say more about a command')}`),
    ...perCommand,
  ].join('\n')
}
