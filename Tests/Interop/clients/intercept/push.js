// Sends a push to Apple's host with Node's HTTP/2, and the roots that Node finds by itself.
const http2 = require('node:http2');

const session = http2.connect(`https://${process.env.APNS_HOST}`);
const request = session.request({
  ':method': 'POST',
  ':path': `/3/device/${process.env.DEVICE}`,
  authorization: `bearer ${process.env.PROVIDER_TOKEN}`,
  'apns-topic': 'com.example.app',
});
request.on('response', headers => {
  console.log(headers[':status']);
  session.close();
});
request.end('{"aps":{"alert":"Node"}}');
