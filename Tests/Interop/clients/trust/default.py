"""Connects to the server, with the roots that Python finds by itself."""

import os
import socket
import ssl

context = ssl.create_default_context()
with socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), timeout=240) as plain:
    with context.wrap_socket(plain, server_hostname="localhost") as connection:
        print("verified", connection.version())
