// Fails if a text that people or models read uses the wording this project has left behind; prints each place.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Each phrase, and what plain English says instead. */
const REPLACED: readonly (readonly [RegExp, string])[] = [
  [/\b(?:whoever|whatever is)\b/i, 'name the buyer, client, caller or operator'],
  [/\b(?:nobody|somebody)\b/i, 'name the person or program, or "no one"'],
  [/\b(?:has|have|had) to be\b/i, 'must be'],
  [/\b(?:is|are) told\b|\btold (?:of|once|by)\b/i, 'is informed, gets, is called with'],
  [/(?<!there )\b(?:is|are) none\b/i, 'there is no'],
  [/\banew\b/i, 'again'],
  [/\bfor ever\b/i, 'forever, or say how long'],
  [/\bof its own accord\b|\bby its word\b|\bdearer\b/i, 'say it plainly'],
  [/\bstands to\b|\blets? go of\b|\bis let go\b/i, 'releases'],
  [/\b(?:he|him|himself|his)\b/i, 'they, it'],
  [/^[<>]{7} /, 'finish the merge'],
]

/** Recorded texts of others, lists of words as data, and this list. */
const EXEMPT =
  /^(?:scripts\/check-words\.ts|src\/surfaces\/a2a\/request\/text\/asks\.ts|LICENSE|package-lock\.json|CHANGELOG\.md)$|generated|\.json$|^test\/(?:vectors|conformance\/node_modules)\/|^test\/errors\.test\.ts$|^test\/support\/postgres\.ts$|^bench\/peers\//

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  .split('\0')
  .filter(
    (path) =>
      /\.(?:ts|js|md|ya?ml|sh|css|sol)$|^Dockerfile$|^\.env\.example$/.test(path) && !EXEMPT.test(path),
  )

let found = 0
for (const path of files) {
  for (const [index, line] of readFileSync(path, 'utf8').split('\n').entries()) {
    for (const [phrase, instead] of REPLACED) {
      const [match] = phrase.exec(line) ?? []
      if (match === undefined) continue
      found += 1
      console.error(`${path}:${index + 1}: "${match}": ${instead}`)
    }
  }
}
if (found > 0) process.exitCode = 1
