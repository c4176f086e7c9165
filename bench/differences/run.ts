// Asks well-known libraries about every public vector and writes docs/peer-differences.md: `npm run differences`.
import { readFileSync, writeFileSync } from 'node:fs'
import { installPeers } from '../peers/install.ts'
import { differencesDoc } from './differences-doc.ts'

installPeers()
const { dependencies } = JSON.parse(readFileSync(new URL('../peers/package.json', import.meta.url), 'utf8'))
writeFileSync(new URL('../../docs/peer-differences.md', import.meta.url), differencesDoc(dependencies))
