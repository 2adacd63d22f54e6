// The scenarios that come with the library, in the form a user's own module has.

export { scenarios as default } from 'spillway/sim'
