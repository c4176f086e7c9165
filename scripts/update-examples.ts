/**
 * Writes the checks' answers into the skills' examples, after a rule or an example has changed.
 *
 * Titles and inputs are kept as they are: only `output` is computed. Values are published or made-up test values;
 * never put a real person's number here. Run the formatter afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { CHECKS } from '../src/checks/checks.ts'
import { CHECK_TYPES } from '../src/checks/verdict.ts'

interface Entry {
  readonly title: string
  readonly input: { readonly value: string }
}

for (const type of CHECK_TYPES) {
  const file = new URL(`../skills/${type}/assets/examples.json`, import.meta.url)
  const entries: readonly Entry[] = JSON.parse(readFileSync(file, 'utf8'))
  const examples = entries.map(({ title, input }) => ({ title, input, output: CHECKS[type](input.value) }))
  writeFileSync(file, `${JSON.stringify(examples, null, 2)}\n`)
}
