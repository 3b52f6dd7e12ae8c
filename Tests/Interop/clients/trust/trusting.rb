# Connects to the server, with the context of the page.
require 'openssl'
require 'socket'

# LINES OF THE PAGE
connection = OpenSSL::SSL::SSLSocket.new(TCPSocket.new('127.0.0.1', ENV.fetch('PORT')), context)
connection.hostname = 'localhost'
connection.connect
connection.post_connection_check('localhost')
puts "verified #{connection.ssl_version}"
