# Connects to Apple's host by HTTP/2's TLS, with the roots that Ruby finds by itself; its library has no HTTP/2.
require 'openssl'
require 'socket'

host, port = ENV.fetch('APNS_HOST').split(':')
context = OpenSSL::SSL::SSLContext.new
context.set_params
context.alpn_protocols = ['h2']
connection = OpenSSL::SSL::SSLSocket.new(TCPSocket.new(host, port || 443), context)
connection.hostname = host
connection.connect
connection.post_connection_check(host)
connection.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + [0, 4, 0, 0].pack('CxxCCN').byteslice(0, 9))
puts "#{connection.alpn_protocol} #{connection.readpartial(9).getbyte(3)}"
