# syntax=docker/dockerfile:1
#
# `docker build .` takes as long as `cargo build --release`. With `--build-arg PROFILE=dist` the program is linked as a whole and trained on
# games, as scripts/dist does it: it plays up to a third more moves per second, and the image takes several times as long to build.
ARG PROFILE=release

FROM rust:1.95-bookworm AS manifests
WORKDIR /src
COPY . .
# What decides how dependencies are built: the manifests, with nothing in the sources.
RUN find . -type f ! -name '*.rs' ! -name Cargo.toml ! -name Cargo.lock ! -path './.cargo/*' -delete \
    && find . -name '*.rs' | while read -r file; do echo 'fn main() {}' > "$file"; done

FROM rust:1.95-bookworm AS build
ARG PROFILE
WORKDIR /src
COPY --from=manifests /src .
# A layer that stays until a manifest changes. What scripts/dist works with is not built here.
RUN if [ "$PROFILE" = dist ]; then \
        apt-get update && apt-get install --yes --no-install-recommends llvm-19 postgresql procps; \
    else \
        cargo build --profile "$PROFILE" --locked --package assam; \
    fi
COPY . .
# Cargo builds again what is newer than its last output.
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
