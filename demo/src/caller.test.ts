import { expect, test } from 'vitest'
import { readAnswer } from './caller.ts'

test('an answer with a length is complete when its body is', () => {
  const head = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: keep-alive\r\n\r\n'
  expect(readAnswer(head.slice(0, 20), false)).toBeUndefined()
  expect(readAnswer(`${head}done`, false)).toBeUndefined()
  expect(readAnswer(`${head}done\n`, false)).toEqual({ status: 200, reason: undefined, reusable: true })
})

test('a refusal says why', () => {
  const refusal = 'HTTP/1.1 503 Service Unavailable\r\nX-Shed-Reason: capacity\r\nContent-Length: 0\r\n\r\n'
  expect(readAnswer(refusal, false)).toEqual({ status: 503, reason: 'capacity', reusable: true })
})

test('a chunked answer is complete at its last chunk', () => {
  const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
  expect(readAnswer(`${head}4\r\ndone\r\n`, false)).toBeUndefined()
  expect(readAnswer(`${head}4\r\ndone\r\n0\r\n\r\n`, false)?.status).toBe(200)
  expect(readAnswer(`${head}0\r\n\r\n`, false)?.status).toBe(200)
})

test('an answer without a length ends with its connection', () => {
  const head = 'HTTP/1.1 200 OK\r\n\r\nsome'
  expect(readAnswer(head, false)).toBeUndefined()
  expect(readAnswer(head, true)).toEqual({ status: 200, reason: undefined, reusable: false })
})

test('a connection that the service means to close is not used again', () => {
  const answer = 'HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'
  expect(readAnswer(answer, false)?.reusable).toBe(false)
})
