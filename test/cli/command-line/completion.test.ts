import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { CHECK_TYPES } from '../../../src/checks/verdict.ts'
import { COMMAND_NAMES, findCommand } from '../../../src/cli/command-line/commands.ts'
import { ROOT } from '../../support/command.ts'
import { runCli } from '../../support/run-cli.ts'

const scripts: Record<string, string> = {}
beforeAll(async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await runCli(['completion', shell])
    expect([code, stderr]).toEqual([0, ''])
    scripts[shell] = stdout
  }
})

/** What bash offers after these words; the last one is being typed. */
function offered(...words: string[]): string[] {
  const program = `${scripts.bash}
COMP_WORDS=(${['format-checker', ...words].map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_format_checker
printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['--norc', '-c', program], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')
}

describe('bash', () => {
  test('offers the commands', () => {
    expect(offered('')).toEqual([...COMMAND_NAMES, 'help', '--version', '--help'])
    expect(offered('rec')).toEqual(['reconcile'])
  })

  test('offers types and options', () => {
    expect(offered('buy', 'pl-')).toEqual(CHECK_TYPES.filter((type) => type.startsWith('pl-')))
    expect(offered('stats', '--f')).toEqual(['--from', '--format'])
  })

  test('offers the choices of an option, and files', () => {
    expect(offered('buy', 'iban', '--surface', '')).toEqual(['rest', 'a2a', 'mcp'])
    expect(offered('buy', 'iban', '--file', join('bin', 'f'))).toEqual(['bin/format-checker.js'])
  })
})

test.each(['zsh', 'fish'])('%s knows every command and option', (shell) => {
  for (const name of COMMAND_NAMES) {
    expect(scripts[shell]).toContain(name)
    for (const option of Object.keys(findCommand(name)?.options ?? {}))
      expect(scripts[shell]).toContain(option)
  }
})
