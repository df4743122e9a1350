"""Which files hold keys or passwords, told by name alone, because they are never opened. Ignore
files have no say here, and neither has the case of letters.
"""

from __future__ import annotations

from functools import lru_cache

from chunkwright.sources.hints import Glance, glance_of
from chunkwright.sources.patterns import Patterns, parse_line

SECRETS = {
    ".env*": "environment variables of an application, .envrc included",
    "*.env": "environment variables of one deployment",
    ".envs/**": "environment variables, a folder of them",
    "id_rsa": "private SSH key",
    "id_dsa": "private SSH key",
    "id_ecdsa": "private SSH key",
    "id_ecdsa_sk": "private SSH key held by a token",
    "id_ed25519": "private SSH key",
    "id_ed25519_sk": "private SSH key held by a token",
    "*.ppk": "private SSH key of PuTTY",
    "*.pem": "certificates and private keys",
    "*.key": "private key",
    "*.p8": "private key",
    "*.p12": "key and certificate bundle",
    "*.pfx": "key and certificate bundle",
    "*.keystore": "Java keys",
    "*.jks": "Java keys",
    "*.keytab": "Kerberos keys",
    "*.kdbx": "password database of KeePass",
    "*.ovpn": "VPN profile with its keys",
    ".gnupg/**": "GnuPG keys",
    ".netrc": "passwords for hosts",
    "_netrc": "passwords for hosts, on Windows",
    ".npmrc": "npm token",
    ".pypirc": "PyPI token",
    ".cargo/credentials": "crates.io token",
    ".cargo/credentials.toml": "crates.io token",
    ".gem/credentials": "RubyGems token",
    ".git-credentials": "passwords for git hosts",
    ".htpasswd": "password hashes of a web server",
    ".pgpass": "PostgreSQL passwords",
    ".my.cnf": "MySQL passwords",
    ".aws/credentials": "Amazon keys",
    ".azure/accessTokens.json": "Azure tokens",
    ".boto": "cloud storage keys",
    ".s3cfg": "cloud storage keys",
    "application_default_credentials.json": "Google credentials",
    "client_secret*.json": "Google OAuth client",
    "credentials.json": "Google OAuth client or service account",
    "*service-account*.json": "Google service account key",
    "*service_account*.json": "Google service account key",
    "*serviceaccount*.json": "Google service account key",
    ".docker/config.json": "container registry passwords",
    ".dockercfg": "container registry passwords",
    "kubeconfig": "cluster access",
    "*.kubeconfig": "cluster access",
    ".kube/config": "cluster access",
    "*.tfstate": "Terraform state, which holds secrets in plain text",
    "*.tfstate.*": "Terraform state, a backup",
    ".terraformrc": "Terraform token",
    ".vault-token": "Vault token",
}
"""Pattern -> what it holds. One without `/` is compared with the file's name, one with it with
the end of the path; `**` is anything below."""

HARMLESS = (
    ".env.example",
    ".env.*.example",
    ".env.sample",
    ".env.*.sample",
    ".env.template",
    ".env.*.template",
    ".env.dist",
    "example.env",
    "sample.env",
    "template.env",
)
"""Files made to be shown, though a pattern above names them."""


def secret_rule(path: bytes, allowed: tuple[str, ...] = ()) -> str:
    """The pattern of SECRETS that names the file, or "" where none does or it is allowed."""
    # Reversed, because the last match decides and the table reads from the top.
    found = _table(tuple(reversed(SECRETS))).match(path, is_folder=False)
    if found is None or _table(HARMLESS).match(path, is_folder=False):
        return ""
    if allowed and _allows(path, allowed):
        return ""
    return found.text.removeprefix("**/")


@lru_cache(maxsize=1)
def secret_glance() -> Glance:
    """What the name of every secret has."""
    patterns = _table(tuple(reversed(SECRETS))).rules()
    return glance_of(patterns, lambda pattern: Patterns([pattern], any_case=True))


def _allows(path: bytes, allowed: tuple[str, ...]) -> bool:
    """Whether the allow list names the file or a folder it lies in."""
    folders = [path[:at] for at, byte in enumerate(path) if byte == ord("/")]
    table = _table(allowed)
    ways = [*((folder, True) for folder in folders), (path, False)]
    matches = [table.match(way, is_folder=is_folder) for way, is_folder in ways]
    decisive = [match for match in matches if match is not None]
    return bool(decisive) and not decisive[-1].negated


@lru_cache(maxsize=16)
def _table(patterns: tuple[str, ...]) -> Patterns:
    return Patterns(
        [found for pattern in patterns if (found := parse_line(_anywhere(pattern)))],
        any_case=True,
    )


def _anywhere(pattern: str) -> bytes:
    """A pattern with a slash inside is anchored at the root; ours speak of any folder."""
    anchored = "/" in pattern.rstrip("/") and not pattern.startswith(("/", "!", "**/"))
    return ("**/" * anchored + pattern).encode()
