// What every `npm start`, `npm test`, `npm run bench` runs first: whatever is missing on a bare machine is fetched and
// built here, so that two commands are all there is to learn. It runs on the Node the host happens to have, therefore
// this file keeps to old syntax until it knows how old that is; the work is in provision.mjs.
//
// Nothing is ever written to stdout: `npm start --silent -- --json` must print one JSON object and nothing else.
//
// `--no-build` leaves the library as it is. Exit codes: 0 all is in place, 1 something cannot be had, 2 this Node is too old.
const nodeMajorMin = 18
const found = process.versions.node

if (Number(found.split('.')[0]) < nodeMajorMin) {
  process.stderr.write(
    `setup: Spillway needs Node ${nodeMajorMin} or newer and npm to set itself up, and this is Node ${found}: ` +
      'install a newer Node, then run the command again.\n',
  )
  process.exitCode = 2
} else {
  import('./provision.mjs')
    .then((steps) => steps.provision({ build: !process.argv.includes('--no-build') }))
    .then((exitCode) => {
      process.exitCode = exitCode
    })
}
