/**
 * Draws sentences of documents, comments, errors and commits, ten of each, for a person to judge: `node
 * scripts/draw-sentences.ts SEED`. A sentence fails if its subject does not act, if it holds two ideas, or if it cannot be
 * understood without what is around it.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { ERRORS } from '../src/errors.ts'

const ROOT = new URL('../', import.meta.url).pathname
const OF_EACH = 10
const COMMITS = 400

type Drawn = readonly [place: string, sentence: string]

const read = (path: string) => readFileSync(`${ROOT}${path}`, 'utf8')
const sentencesOf = (place: string, text: string): readonly Drawn[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=[.!?]) (?=[A-Z`"[])/)
    .map((sentence) => [place, sentence.trim()] as const)
    .filter(([, sentence]) => sentence.split(' ').length > 3)

const documents = globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
  .toSorted()
  .flatMap((path) =>
    read(path)
      .replaceAll(/^---[\s\S]*?\n---\n|```[\s\S]*?```|<!--[\s\S]*?-->|^(?:#|\||!\[).*$/gm, '')
      .split('\n\n')
      .flatMap((paragraph) => sentencesOf(path, paragraph.replaceAll(/^\s*(?:[-*]|\d+\.) /gm, ''))),
  )

const comments = globSync('{src,packages/*/src}/**/*.ts', { cwd: ROOT })
  .toSorted()
  .flatMap((path) =>
    (read(path).match(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*(?:\n\s*\/\/.*)*/gm) ?? []).flatMap((comment) =>
      sentencesOf(path, comment.replaceAll(/^\s*(?:\/\*\*|\*\/|\*|\/\/)|\*\/$/gm, '')),
    ),
  )

const errors = Object.entries(ERRORS).flatMap(([code, { title, detail }]) => [
  ...sentencesOf(code, title),
  ...sentencesOf(code, detail),
])

const commits = execFileSync('git', ['log', `-${COMMITS}`, '--format=%h%x09%s'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .map((line) => line.split('\t') as [string, string])

const [seed = '1'] = process.argv.slice(2)
const rank = (text: string) => createHash('sha256').update(`${seed}\n${text}`).digest('hex')

for (const [kind, all] of Object.entries({ documents, comments, errors, commits })) {
  console.log(`\n${kind} (${all.length})`)
  const drawn = all.toSorted(([, one], [, other]) => (rank(one) < rank(other) ? -1 : 1)).slice(0, OF_EACH)
  for (const [place, sentence] of drawn) console.log(`  ${place}: ${sentence}`)
}
