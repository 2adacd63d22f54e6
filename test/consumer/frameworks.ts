// A user's file for each framework, compiled against the packed library with the peers beside it (see package.test.ts).
import express from 'express'
import Fastify from 'fastify'
import { Hono } from 'hono'
import Koa from 'koa'
import { spillway as forExpress } from 'spillway/express'
import { spillway as forFastify } from 'spillway/fastify'
import { spillway as forHono, type SpillwayVariables } from 'spillway/hono'
import { spillway as forKoa } from 'spillway/koa'

express()
  .use(forExpress({ limit: 5 }))
  .get('/', (request, response) => void response.json(request.spillway?.signal.aborted))

Fastify()
  .register(forFastify, { limit: 5 })
  .get('/', async (request) => request.spillway?.signal.aborted)

new Hono<{ Variables: SpillwayVariables }>()
  .use(forHono({ limit: 5 }))
  .get('/', (context) => context.json(context.get('spillway').signal.aborted))

new Koa().use(forKoa({ limit: 5 }))

// @ts-expect-error: a limit is a number or a limiter.
forExpress({ limit: true })
// @ts-expect-error: a limit is a number or a limiter.
Fastify().register(forFastify, { limit: true })
// @ts-expect-error: a limit is a number or a limiter.
forHono({ limit: true })
// @ts-expect-error: a limit is a number or a limiter.
forKoa({ limit: true })
