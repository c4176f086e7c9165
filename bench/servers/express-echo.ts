/** A bare Express 5: echoes JSON, and sends one document as its `send` does, with an entity tag. */
import { readFileSync } from 'node:fs'
import express from 'express'
import { serve } from './tell-port.ts'

const document = process.env.DOCUMENT === undefined ? Buffer.alloc(0) : readFileSync(process.env.DOCUMENT)

const app = express()
app.post('/echo', express.json(), (request, response) => {
  response.json(request.body)
})
app.get('/document', (_request, response) => {
  response.type('application/json').send(document)
})
serve(app)
