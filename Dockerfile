# The image contains only the executable and the libraries that it needs: no shell, no package manager. It is the same as
# mock-apns-V-image.tar of `make dist`, which reads the settings of the last stage here and needs no engine.
#
#   docker build --build-arg VERSION="$(scripts/version)" -t mock-apns .
ARG SWIFT_IMAGE=swift:6.3-bookworm

FROM ${SWIFT_IMAGE} AS build
WORKDIR /source
# Files that rarely change come first, so that the layer is reused.
COPY scripts/setup scripts/
RUN scripts/setup image
COPY . .
RUN scripts/dist --root /image

FROM scratch
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="mock-apns" \
      org.opencontainers.image.description="A mock APNs server: real HTTP/2 and TLS, Apple's answers, every push readable" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.licenses="Apache-2.0"

COPY --from=build /image/ /
# The certificates and the development key are created here at the first start, and the authority for client certificates
# with the first of them. Everything else can be read-only.
COPY --from=build --chown=65532:65532 /image/certs /certs
VOLUME /certs

ENV MOCK_APNS_APNS_LISTEN=0.0.0.0:2197 \
    MOCK_APNS_API_LISTEN=0.0.0.0:8197 \
    MOCK_APNS_CERTS_DIR=/certs \
    MOCK_APNS_ALLOWED_HOST="mock-apns apns host.docker.internal"
EXPOSE 2197 8197
USER 65532:65532
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --start-interval=200ms CMD ["/mock-apns", "readyz"]
ENTRYPOINT ["/mock-apns"]
CMD ["serve"]
