// Where the report goes. The place is tried before the run, so that a wrong path costs a sentence and not a minute.

import { accessSync, constants, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export type ReportFile =
  | { readonly path: string; write(page: string): void; readonly problem?: undefined }
  | { readonly problem: string }

const workspace = fileURLToPath(new URL('../../..', import.meta.url))

export function claimReportFile(given: string | undefined, resource: string): ReportFile {
  // npm runs scripts from the workspace; INIT_CWD is where the user typed the command.
  const from = process.env.INIT_CWD ?? process.cwd()
  const path = given === undefined ? resolve(workspace, 'reports', `demo-${resource}.html`) : resolve(from, given)
  try {
    mkdirSync(dirname(path), { recursive: true })
    if (!existsSync(path)) accessSync(dirname(path), constants.W_OK)
    else if (statSync(path).isDirectory()) throw new Error('it is a folder')
    else accessSync(path, constants.W_OK)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return { problem: `--html ${path} cannot be written (${cause}); give a file in a folder you may write to` }
  }
  return { path, write: (page) => writeFileSync(path, page) }
}
