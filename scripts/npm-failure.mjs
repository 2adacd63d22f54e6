// npm explains a failure over thirty lines; a person who typed `npm start` needs one sentence that says what cannot be
// had and what to do about it. The table goes from the most to the least specific; the first match wins.
const sentences = [
  [/\bENOSPC\b|no space left/i, 'the disk is full: free some space'],
  [/\b(EACCES|EPERM|EROFS)\b/, 'a folder cannot be written: check who owns the checkout and the npm cache'],
  [
    /\bEUSAGE\b|can only install packages when your package.json/,
    'package.json and package-lock.json disagree: run "npm install" and commit the lock file',
  ],
  [
    /\b(ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH|ENETDOWN|ENOTCACHED)\b/,
    'the npm registry cannot be reached: this machine seems to have no network, or needs a proxy',
  ],
  [
    /\b(ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|EIDLETIMEOUT|FETCH_ERROR)\b/,
    'the npm registry does not answer: check the network, the proxy and "npm config get registry"',
  ],
  [
    /\b(UNABLE_TO_\w+|SELF_SIGNED_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|CERT_\w+|ERR_TLS\w+)\b/,
    'the npm registry shows a certificate this machine does not trust: check the proxy and the npm setting "cafile"',
  ],
  [/\b(E401|E403|ENEEDAUTH)\b/, 'the npm registry refuses access: check the credentials in your npm configuration'],
  [/\b(E404|ETARGET)\b/, 'the npm registry does not have a package this project needs'],
  [/\bEINTEGRITY\b/, 'a downloaded package does not match the lock file: run "npm cache clean --force" and try again'],
  [/\bE5\d\d\b/, 'the npm registry reports an error of its own: try again later'],
  [/\bEBADENGINE\b|does not support Node\.js/, 'this npm and this Node do not fit each other: install a newer Node'],
]

/** One clause that says why npm failed, with npm's own first error line as the evidence. */
export function explainNpmFailure({ code, output, missing }) {
  if (missing) return 'npm is not on the PATH: install Node with npm'
  const because = sentences.find(([pattern]) => pattern.test(errorLines(output).join('\n')))?.[1]
  const evidence = errorLines(output).find((line) => !/^(code|errno|syscall|path|command) /.test(line))
  return [because ?? `npm ended with exit code ${code}`, evidence ? ` (npm says: ${evidence.slice(0, 200)})` : ''].join(
    '',
  )
}

function errorLines(output) {
  return output
    .split(/\r?\n/)
    .filter((line) => /^npm (error|ERR!)/.test(line))
    .map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim())
    .filter((line) => line !== '')
}
