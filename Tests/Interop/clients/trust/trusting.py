"""Connects to the server, with the context of the page."""

import os
import socket
import ssl

# LINES OF THE PAGE
with socket.create_connection(("127.0.0.1", int(os.environ["PORT"])), timeout=240) as plain:
    with context.wrap_socket(plain, server_hostname="localhost") as connection:
        print("verified", connection.version())
