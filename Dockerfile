# syntax=docker/dockerfile:1

FROM rust:1.95-bookworm AS build
# What scripts/dist works with.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends llvm-19 postgresql procps
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    scripts/dist \
    && cp target/trained/assam /usr/local/bin/assam

FROM debian:bookworm-slim
RUN apt-get update \
    && apt-get install --yes --no-install-recommends curl \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home --home-dir /data assam
COPY --from=build /usr/local/bin/assam /usr/local/bin/assam
USER assam
WORKDIR /data
VOLUME /data
ENV ASSAM_LISTEN=0.0.0.0:8080 ASSAM_DATABASE=sqlite:/data/assam.db ASSAM_KEY_FILE=/data/assam.keys
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s CMD curl --fail --silent http://127.0.0.1:8080/readyz || exit 1
ENTRYPOINT ["assam"]
