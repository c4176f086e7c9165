import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

// What Node makes of the sources is kept beside the packages for the next start, where it may write there.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/node-compile'))

const { serve } = await import('./main/serve.ts')
const failed = await serve()
if (failed !== undefined) process.exit(failed)
flushCompileCache()
