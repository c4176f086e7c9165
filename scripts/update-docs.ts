// Writes the documents and the files of skills that are made from the code: `node scripts/update-docs.ts`.
import { mkdirSync, writeFileSync } from 'node:fs'
import { skillFiles } from './skill-files.ts'

const ROOT = new URL('../', import.meta.url)

write(skillFiles())
// The documents read what is written of the skills, some when they are imported.
const { generatedDocs } = await import('./generated-docs.ts')
write(generatedDocs())

function write(files: Iterable<readonly [path: string, text: string]>): void {
  for (const [path, text] of files) {
    const file = new URL(path, ROOT)
    mkdirSync(new URL('.', file), { recursive: true })
    writeFileSync(file, text)
  }
}
