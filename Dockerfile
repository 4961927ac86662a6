# syntax=docker/dockerfile:1
#
# `docker build .` takes as long as `cargo build --release`. `--build-arg PROFILE=dist` builds the program as scripts/dist does, linked as a
# whole and trained on games. That program plays more moves a second, and the image takes several times as long to build.
ARG PROFILE=release

FROM rust:1.95-bookworm AS manifests
WORKDIR /src
COPY . .
# Keep the manifests, which decide how dependencies are built, and empty the sources.
RUN find . -type f ! -name '*.rs' ! -name Cargo.toml ! -name Cargo.lock ! -path './.cargo/*' -delete \
    && find . -name '*.rs' | while read -r file; do echo 'fn main() {}' > "$file"; done

FROM rust:1.95-bookworm AS build
ARG PROFILE
WORKDIR /src
COPY --from=manifests /src .
# This layer is reused until a manifest changes. With PROFILE=dist, it only has the tools of scripts/dist.
RUN if [ "$PROFILE" = dist ]; then \
        apt-get update && apt-get install --yes --no-install-recommends llvm-19 postgresql procps; \
    else \
        cargo build --profile "$PROFILE" --locked --package assam; \
    fi
COPY . .
# Cargo rebuilds sources that are newer than its last output.
RUN find . -path ./target -prune -o -name '*.rs' -exec touch {} + \
    && if [ "$PROFILE" = dist ]; then \
        scripts/dist && cp target/trained/assam /usr/local/bin/assam; \
    else \
        cargo build --profile "$PROFILE" --locked --package assam && cp "target/$PROFILE/assam" /usr/local/bin/assam; \
    fi

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
