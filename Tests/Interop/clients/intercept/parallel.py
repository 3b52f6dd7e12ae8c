"""Connects 200 threads at once to two of Apple's hosts, each with a verified handshake."""

import socket
import ssl
import threading

COUNT = 200
context = ssl.create_default_context()
context.set_alpn_protocols(["h2"])
barrier = threading.Barrier(COUNT)
done = []


def connect(number):
    host = "api.push.apple.com" if number % 2 else "api.sandbox.push.apple.com"
    barrier.wait()
    with socket.create_connection((host, 443)) as plain, context.wrap_socket(plain, server_hostname=host) as connection:
        done.append((connection.selected_alpn_protocol(), connection.getpeername()[0]))


threads = [threading.Thread(target=connect, args=(number,)) for number in range(COUNT)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print(len(done), set(done) == {("h2", "127.0.0.1")})
