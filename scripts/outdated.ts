// Prints what could be updated, as a table: `npm run --silent outdated`. Asks the registry; changes nothing. The rules for an
// update are in docs/evidence/dependencies.md. Exit code 1 if the registry did not answer.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Manifest, type Outdated, outdatedReport } from './outdated-report.ts'

const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Manifest
// npm exits with 1 when something is outdated, and writes an `error` member when it could not ask.
const { stdout } = spawnSync('npm', ['outdated', '--json'], { encoding: 'utf8' })
const answer = parse(stdout)
if (answer === null || 'error' in answer) {
  console.error('npm could not ask the registry')
  process.exitCode = 1
} else process.stdout.write(outdatedReport(answer as Record<string, Outdated>, manifest))

function parse(text: string | null): object | null {
  try {
    return text === null || text.trim() === '' ? {} : (JSON.parse(text) as object)
  } catch {
    return null
  }
}
