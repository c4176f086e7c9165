import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { generatedDocs } from '../scripts/generated-docs.ts'
import { skillFiles } from '../scripts/skill-files.ts'

test.each([...skillFiles(), ...generatedDocs()])('%s says what the code says', (path, text) => {
  const written = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8')
  expect(written, `${path} is written from the code: run node scripts/update-docs.ts`).toBe(text)
})
