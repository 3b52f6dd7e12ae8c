// Connects to the server, with the roots that Node.js finds by itself.
const http2 = require('node:http2');

const session = http2.connect(`https://localhost:${process.env.PORT}`);
session.on('connect', () => {
  console.log('verified', session.alpnProtocol);
  session.close();
});
