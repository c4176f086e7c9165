import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// Keeps compiled sources for the next start, if node_modules is writable.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node-compile'))

// Express prints each target to standard error where this names it, and a query may hold a value.
delete process.env.DEBUG

const { serve } = await import('./main/serve.ts')
await serve()
flushCompileCache()
