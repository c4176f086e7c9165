// Writes the bill of materials of a running service to standard output: `npm run --silent sbom > sbom.json`.
import { readFileSync } from 'node:fs'
import { readLock } from './read-lock.ts'
import { sbomOf } from './sbom.ts'

const ROOT = new URL('../', import.meta.url)
const project = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'))
console.log(JSON.stringify(sbomOf(project, readLock(new URL('package-lock.json', ROOT))), null, 2))
