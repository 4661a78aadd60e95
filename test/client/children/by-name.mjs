/** Imports the client as a user's build does, and prints what it exports. */
import * as client from 'mintmark/client'

console.log(Object.keys(client).sort().join())
