import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Keeps compiled sources for the next start, if node_modules is writable.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node-compile'))

const { serve } = await import('./main/serve.ts')
const failed = await serve()
if (failed !== undefined) process.exit(failed)
flushCompileCache()
