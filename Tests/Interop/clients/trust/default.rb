# Connects to the server, with the roots that Ruby finds by itself.
require 'openssl'
require 'socket'

context = OpenSSL::SSL::SSLContext.new
context.set_params
connection = OpenSSL::SSL::SSLSocket.new(TCPSocket.new('127.0.0.1', ENV.fetch('PORT')), context)
connection.hostname = 'localhost'
connection.connect
connection.post_connection_check('localhost')
puts "verified #{connection.ssl_version}"
