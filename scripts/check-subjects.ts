// Fails for a commit subject of more than 72 characters, which logs cut; prints each. With a file as argument (git's hook
// commit-msg) it reads the message in that file, otherwise the subjects of all commits after BASE.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

const MOST = 72
/** The rule holds for commits after this one; older subjects are longer. */
const BASE = 'b61ea4972c6b24e1565f8b8e43291f53e66348e0'
/** Made by git itself. */
const MADE = /^(?:Merge|Revert|fixup!|squash!|amend!) /

const git = (...words: readonly string[]) =>
  execFileSync('git', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })

/** Empty where git or BASE is not there, as in a shallow clone: what is new cannot be told there. */
function newSubjects(): readonly string[] {
  try {
    return git('log', '--no-merges', '--format=%h %s', `${BASE}..HEAD`).split('\n')
  } catch {
    console.error(`subjects of commits were not checked: the history here does not reach ${BASE}`)
    return []
  }
}

const isLong = (subject: string) => [...subject].length > MOST && !MADE.test(subject)

const [, , file] = process.argv
const subjects =
  file === undefined
    ? newSubjects().map((line) => ({
        at: line.slice(0, line.indexOf(' ')),
        subject: line.slice(line.indexOf(' ') + 1),
      }))
    : [{ at: 'this commit', subject: readFileSync(file, 'utf8').split('\n', 1)[0] ?? '' }]

for (const { at, subject } of subjects.filter((each) => isLong(each.subject))) {
  process.exitCode = 1
  console.error(
    `${at}: its subject has ${[...subject].length} characters, at most ${MOST} are allowed; write the reason into the body: ${subject}`,
  )
}
