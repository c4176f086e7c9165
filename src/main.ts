import { serve } from './main/serve.ts'

const failed = await serve()
if (failed !== undefined) process.exit(failed)
