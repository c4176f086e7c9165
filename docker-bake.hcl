# docker buildx bake --push: one image for both architectures, with its bill of materials and provenance attached.
# IMAGE names the repository it is pushed to; the tag is the version of package.json. A release gives BASE with its digest.
variable "IMAGE" {
  default = "format-checker"
}

variable "VERSION" {
  default = "1.2.0"
}

variable "BASE" {
  default = "node:26.10.0-bookworm-slim"
}

target "default" {
  context   = "."
  contexts  = { "node:26.10.0-bookworm-slim" = "docker-image://${BASE}" }
  platforms = ["linux/amd64", "linux/arm64"]
  tags      = ["${IMAGE}:${VERSION}"]
  attest = [
    "type=sbom",
    "type=provenance,mode=max",
  ]
  labels = {
    "org.opencontainers.image.title"    = "format-checker"
    "org.opencontainers.image.version"  = VERSION
    "org.opencontainers.image.licenses" = "MIT"
  }
}
