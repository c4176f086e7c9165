// Writes the documents and the files of skills that are made from the code: `node scripts/update-docs.ts`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { generatedDocs } from './generated-docs.ts'
import { skillFiles } from './skill-files.ts'

const ROOT = new URL('../', import.meta.url)

// The documents read what is written of the skills.
for (const files of [skillFiles, generatedDocs])
  for (const [path, text] of files()) {
    const file = new URL(path, ROOT)
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, text)
  }
