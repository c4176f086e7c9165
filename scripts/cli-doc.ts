import { readFileSync } from 'node:fs'
import { COMMAND_NAMES, findCommand } from '../src/command-line/commands.ts'
import { renderCommandHelp } from '../src/command-line/help.ts'

const PAGE = new URL('../docs/cli.md', import.meta.url)
const HEADING = '## Commands\n'

/** The page of the command line: its own text, then the help of every command. */
export function cliDoc(): string {
  const page = readFileSync(PAGE, 'utf8')
  const seen = new Set<string>()
  const sections = COMMAND_NAMES.map((name) => {
    const spec = findCommand(name)
    if (spec === undefined) throw new Error(`no command ${name}`)
    return `### ${name}\n\n\`\`\`text\n${namedOnce(withoutShared(renderCommandHelp(spec)), seen)}\n\`\`\`\n`
  })
  return `${page.slice(0, page.indexOf(HEADING))}${HEADING}\n<!-- begin: help -->\n${sections.join('\n')}<!-- end: help -->\n`
}

/** The page lists exit codes and the options of every command once. */
const withoutShared = (help: string): string =>
  help.slice(0, help.indexOf('\n\nExit codes')).replaceAll(/\n {2}(?:--json|-q, --quiet) .*/g, '')

/** An option that means the same in a command above is named, and explained there. */
function namedOnce(help: string, seen: Set<string>): string {
  const again: string[] = []
  const kept = help.replaceAll(
    /\n {2}((?:-\w, )?--[\w-]+(?: [A-Z]+)?) {2,}(.*(?:\n {6,}.*)*)/g,
    (whole, label, text) => {
      const meaning = `${label} ${text.replaceAll(/\s+/g, ' ')}`
      if (!seen.has(meaning)) {
        seen.add(meaning)
        return whole
      }
      again.push(label)
      return ''
    },
  )
  return again.length === 0
    ? kept
    : `${kept.replaceAll(/\n{3,}/g, '\n\n')}\n\n  As above: ${again.join(', ')}`
}
