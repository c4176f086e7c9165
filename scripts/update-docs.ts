// Writes the documents that are made from the code: `node scripts/update-docs.ts`.
import { writeFileSync } from 'node:fs'
import { generatedDocs } from './generated-docs.ts'

const ROOT = new URL('../', import.meta.url)

for (const [path, text] of generatedDocs()) writeFileSync(new URL(path, ROOT), text)
