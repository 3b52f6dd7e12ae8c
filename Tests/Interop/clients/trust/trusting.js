// Connects to the server as the page does.
const fs = require('node:fs');
const http2 = require('node:http2');

const session =
// LINES OF THE PAGE
session.on('connect', () => {
  console.log('verified', session.alpnProtocol);
  session.close();
});
