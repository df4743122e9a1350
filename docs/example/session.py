"""Sessions of the ferry timetable: who is signed in, and for how long."""

import secrets
import time

LIFETIME_SECONDS = 30 * 60


class Sessions:
    """Tokens in memory; each is valid for LIFETIME_SECONDS after its last use."""

    def __init__(self):
        self._last_used = {}

    def open(self, user):
        """Sign a user in and return a new token."""
        token = secrets.token_urlsafe(16)
        self._last_used[token] = (user, time.monotonic())
        return token

    def user_of(self, token):
        """The user a token belongs to, or None when it has expired."""
        user, last = self._last_used.get(token, (None, 0.0))
        if time.monotonic() - last > LIFETIME_SECONDS:
            self._last_used.pop(token, None)
            return None
        self._last_used[token] = (user, time.monotonic())
        return user


def hash_password(password, salt):
    """Derive the stored key from a password with scrypt."""
    import hashlib

    return hashlib.scrypt(password.encode(), salt=salt, n=2**14, r=8, p=1)
