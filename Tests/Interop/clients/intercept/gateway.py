"""Sends a notification to Apple's binary interface with a socket of Python's own, as programs did until 2021."""

import os
import socket
import ssl
import struct

context = ssl.create_default_context()
context.load_cert_chain(os.environ["CERTIFICATE"])
payload = b'{"aps":{"alert":"Binary"}}'
token = bytes.fromhex(os.environ["DEVICE"])
host = os.environ["APNS_HOST"]
with socket.create_connection((host, 2195)) as plain, context.wrap_socket(plain, server_hostname=host) as gateway:
    gateway.sendall(struct.pack("!BH32sH", 0, 32, token, len(payload)) + payload)
    print("sent")
